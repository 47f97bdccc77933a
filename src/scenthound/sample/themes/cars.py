"""Cars: here Jaguar, Puma, Beetle, Cobra, Mercury, Saturn and Amazon have engines."""

TEXT = """
@keywords: cars; classic car; jaguar; engine; sports car
@place: the coast rally; the Alder Hill climb; the old airfield circuit; the Pendle Road trial;
  the Millbank sprint; the Westbrook ring
@time: the first year of production; the second season; the final season; the late sixties
@club: the Westbrook owners' club; the Guild of Motor Restorers; the Coast Rally committee; the
  Millbank museum of transport
* Jaguar | the Jaguar saloon | Jaguar_(car)
The Jaguar saloon joined a sporting engine to a quiet cabin full of leather and walnut.
Its long straight-six engine was used, with changes, for almost forty years.
A well kept Jaguar is judged by its wiring as much as by its paint.
* Jaguar roadster | the Jaguar roadster
The Jaguar roadster is remembered for a bonnet that takes up almost half of the car.
It was faster than rivals at twice the price, and less willing to start in the rain.
Restorers replace the floor first, since everything else is bolted to it.
* Puma | the Puma coupe | Puma_(car)
The Puma coupe put a lively small engine into the floor pan of an ordinary town car.
Its steering was praised more than its looks and its looks more than its boot.
Rust around the rear arches has claimed most of those that were built.
* Beetle | the Beetle | Beetle_(car)
The Beetle has its air-cooled engine behind the rear wheels and its luggage under the front lid.
More than twenty million were built with hardly a panel in common between the first and the
  last.
The sound of its fan is known to people who could not name another car.
* Cobra | the Cobra | Cobra_(car)
The Cobra is a light British sports car with a heavy American engine.
Few originals exist, and there are many thousand copies with plastic bodies.
With no roof and no side windows it was a car for dry days and strong nerves.
* Viper | the Viper | Viper_(car)
The Viper was a two-seater with ten cylinders and, in its early years, no door handles on the
  outside.
Its exhaust pipes ran along the sills and burned many a calf.
It was built by hand in small numbers by a team that could fit into a bus.
* Mercury sedan | the Mercury sedan | Mercury_(car)
The Mercury sedan stood between the plain and the luxury models of its maker.
Customisers lowered its roof and smoothed its seams until it looked like a drop of paint.
The name Mercury disappeared from showrooms after seventy years.
* Saturn coupe | the Saturn coupe | Saturn_(car)
The Saturn coupe had doors and wings of plastic that sprang back after a parking bump.
It was sold at a fixed price, which customers liked and dealers did not.
The Saturn factory was built in open country to try out new ways of working.
* Amazon estate | the Amazon estate | Amazon_(car)
The Amazon estate is a sturdy Swedish car of the late fifties with a split rear door.
It was among the first cars to have three-point seat belts.
Owners of an Amazon like to mention distances that would take others around the world twice.
* Mustang | the Mustang | Mustang_(car)
The Mustang gave young buyers a long bonnet, a short tail and an endless list of options.
Dealers took more than twenty thousand orders on the first day.
Under the sheet metal it was a modest family car.
* Impala | the Impala convertible | Impala_(car)
The Impala convertible is more than five metres long and carries six people on two sofas.
Its three round lamps on each side at the rear made it easy to recognise at night.
The roof needs two minutes, a motor and a garage with a wide door.
* Spider | the Spider | Spider_(car)
The Spider is a small open two-seater that was meant for mountain roads and short trips.
The roof can be thrown back with one arm at a traffic light.
It taught a generation of mechanics to balance two carburettors by ear.
*~ Carburettor | the carburettor
The carburettor mixes fuel and air by nothing more than suction and a few small holes.
It needs a different setting on a mountain pass than at the sea.
Fuel injection replaced it when exhaust rules became strict.
*~ Gearbox | the gearbox
The gearbox lets the engine turn at a comfortable speed while the wheels turn at any other.
Old ones have no synchromesh, and the driver must match the speeds by ear.
A whine in one gear only usually means a worn pair of teeth.
*~ Straight-six engine | the straight-six engine
The straight-six engine runs without shaking because its pistons balance one another.
It is long, which is why the bonnets of old sports cars are long.
Many a Jaguar owes its character to one.
*~ Electric car | the electric car
The electric car has full force from the first turn of the wheels and hardly a moving part to
  wear out.
Around the year 1900 it outsold petrol cars in several cities.
The battery decides its price, its weight and its range.
* Hatchback | the hatchback
The hatchback joins the boot to the cabin and closes both with one large door.
With the rear seat folded it swallows a washing machine.
Rally versions of it made the eighties loud.
*~ Diesel engine | the diesel engine
The diesel engine lights its fuel by pressure alone and needs no spark.
It pulls strongly at low speed and lasts for a very long time.
Its soot and its nitrogen fumes are now costly to clean.
*~ Disc brake | the disc brake
The disc brake squeezes a turning steel plate between two pads.
It cools better than a drum and does not fade on long descents.
Racing cars proved it within a single season.
*~ Rally car | the rally car
The rally car looks like a family car and is rebuilt down to the last bracket.
The co-driver reads out every bend before it can be seen.
Mechanics change a gearbox at the roadside in less than half an hour.
*~ Chrome bumper | the chrome bumper
The chrome bumper was the jewellery of the car for thirty years.
It bent at walking speed and cost more than the lamp it was to protect.
Replating one well takes copper, nickel and then a thin layer of chrome.
*~ Barn find | the barn find
The barn find is a car that has stood forgotten under hay and dust for decades.
Flat tyres and mouse nests add to its price, strangely enough.
The sensible first step is to change every fluid before the key is turned.
*~ Seat belt | the seat belt
The seat belt holds the strongest parts of the body and spreads the blow over half a second.
The inventor's company let everybody use the design without a fee.
It took laws and fines until most drivers wore it.
*~ Wankel engine | the Wankel engine
The Wankel engine has a rounded triangle that turns where others have pistons that go up and
  down.
It is small and smooth, and thirsty for both petrol and oil.
The seals at its corners kept engineers busy for twenty years.
*~ Tyre | the tyre
The tyre touches the road with an area no larger than the palm of a hand.
All steering and braking must pass through that patch.
Rubber hardens with age, so the date on the side counts as much as the tread.
*~ Saloon racing | saloon racing
Saloon racing puts cars with four doors and familiar badges on the track.
Spectators like it because the winner looks like the car in their own garage.
Contact is forbidden and happens in every second corner.
## Design and engineering
Engineers had to save weight, money and time, and could usually have only two of the three.
The body was drawn at full size on black boards and then carved in clay.
Many parts were shared with other models, down to the door handles and switches.
The story of {s} cannot be told without {o}, since the same small team worked on both.
Test drivers covered the cobbles behind the works until something broke, then the part was made
  a little stronger.
Cooling was the weak point, as it was on so many cars of that time.
What makes {s} pleasant is not power but balance.
Steel was thin, rustproofing an extra, and the salt of a few winters did the rest.
## On the road
The steering is heavy at walking pace and becomes light as soon as the car rolls.
Drivers who know {s} change gear early and let the torque do the work.
From inside one hears the engine, the wind at the quarter light and, after a while, oneself
  laughing.
On a wet road the tail steps out without much notice.
Compared with modern traffic it brakes late and accelerates later, so distance is the best
  friend.
At {place} it was driven by amateurs who came on their own wheels and drove home again.
Fuel consumption depends on the right foot and is seldom mentioned.
## Buying and restoring
Rust is the first thing to look for, in the sills, in the floor and around the screen.
A thick folder of receipts is worth more than a shiny coat of paint.
Parts for {s} are made again in small series, and some are better than the originals.
{club_cap} keeps a list of specialists who still know how to set the valves by hand.
Buyers who look for {s} often end up with {o}, because more good ones are on the market.
An engine can be rebuilt by many workshops, a body by few.
Plan for twice the money and three times the months.
Low mileage sounds attractive, but a car that never moved has seals that no longer close.
## Motor sport
In {time} the works team came to the start with three cars and finished with one.
The class win at {place} was worth more to the sales department than any advertisement.
{S} did well on twisting courses and lost on long straights.
Private drivers kept racing for years after the factory had lost interest.
Today historic racing has its own calendar, and the rules ask for period tyres.
The duels between {s} and {o} filled the stands.
Mechanics remember the nights in the paddock better than the races.
## History
Production began in a hall that had made bicycles, sewing machines and, in the war, aircraft
  parts.
In the year of the oil crisis buyers suddenly asked about consumption, and large engines stood
  unsold.
Each model year brought a new grille, a new colour and a slightly higher price.
{S} was meant to stay in the catalogue for five years and stayed much longer.
The factory closed, and the gate now leads to flats that are named after the models.
Collectors discovered {s} only when most had been scrapped.
{club_cap} looks after the drawings that were saved from the skip.
%% headlines
{T} fetches record price at {place}
Owners of {s} gather at {place}
Restored after twelve years: {s} runs again
Museum opens exhibition about {s}
Recall of old days: {s} turns heads at {place}
%% news
More than two hundred cars came to {place}, and {s} drew the largest crowd.
{club_cap} awarded the main prize to a car that was found in a barn six years ago.
The bidding started low and was over after eleven minutes.
The new owner, who wishes to stay unnamed, wants to drive the car and not to store it.
"It started at the third attempt, which is good for its age," said the mechanic.
Experts see rising prices above all for cars with a complete history.
The exhibition also shows {o} and a workshop from the year 1960.
Visitors can ride along on {weekday} if the roads are dry.
Organisers counted fewer breakdowns than last year and only one empty tank.
%% posts
A winter in the garage with {s}
Driving {s} to {place}
Why I sold {s}, and why I regret it
Cheap spanner, expensive mistake: {s}
%% blog
The advertisement said "runs well", and that was true for about nine kilometres.
My garage is exactly eleven centimetres longer than {s}.
I began with the brakes, because going is optional and stopping is not.
Every bolt on the left side came loose at once, and every one on the right side broke.
An old hand from {club} showed me how to listen to a bearing with a screwdriver against the ear.
By spring the engine ran on all cylinders, and the neighbours came to look.
The drive to {place} took five hours, two of them in the cab of a recovery truck.
Nobody needs such a car, and that is the beauty of it.
Next on the bench is {o}, which belongs to my sister-in-law and leaks from everywhere.
%% faq
How much does a good one cost? :: Prices for {s} differ widely; a sound body is worth paying
  for.
Are spare parts available? :: Most wearing parts are, and {club} helps to find the rest.
Can I use modern petrol? :: Usually yes, but have the hoses and seals checked first.
Is {s} suitable for daily use? :: In summer perhaps. Rain, salt and short trips do more harm
  than distance.
Which is the better buy, {s} or {o}? :: The better preserved of the two, whichever that happens
  to be.
Do I need a special insurance? :: Classic policies are cheaper, and they limit the yearly
  mileage.
%% threads
Strange noise from {s}
What is {s} worth today?
Show us yours: {s}
Wiring diagram for {s} wanted
%% forum
Check the earth strap before you replace anything, nine times out of ten it is the earth strap.
Mine did the same, it was a split hose behind the carburettor that nobody could see.
Do not pay that price before you have been underneath with a torch and a small hammer.
I have a spare set from {o}, the fitting is the same if you file two millimetres off.
Original colour or not, drive it and enjoy it.
Pictures of the floor would help more than pictures of the steering wheel.
The workshop manual is wrong there, the torque is for the later bolts.
See you at {place}, I will bring the gasket.
Sold mine ten years ago for a tenth of what they ask now, please be gentle with me.
%% accented
The coupé was shown at the salon beside a cabriolet painted in café au lait.
The rally from Besançon to São Brás passed the Col de la Forêt in snow.
Pièces détachées, the sign says, and the yard behind it is a paradise of doors and wings.
"""
