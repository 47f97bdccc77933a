"""Severe weather."""

TEXT = """
@keywords: severe weather; tornado; thunderstorm; hurricane; hail; storm warning
@place: the northern plains; the Gulf lowlands; the Lower Harrow valley; the western foothills;
  the lake district; the coastal marshes; the high desert; the eastern islands
@time: late afternoon; the first hours of the night; early spring; late summer; a humid week in
  June; the darkest part of winter
@service: the Harrow Valley weather office; the coastal storm centre; the regional forecast
  desk; the flood and storm bureau
* Tornado | the tornado
A tornado is a narrow, violently turning column of air that reaches from the base of a storm
  cloud to the ground.
Most tornadoes last less than ten minutes, but the strongest can stay on the ground for more
  than an hour.
The damage is rated afterwards from broken trees and buildings, because almost no instrument
  survives inside the funnel.
* Supercell | the supercell
A supercell is a thunderstorm with one deep updraft that rotates for most of its life.
Seen from a distance it looks like a carved tower, with a flat anvil above and a lowered base
  below.
Nearly all of the largest hail and the most violent tornadoes come from supercells.
* Squall line | the squall line
A squall line is a long band of thunderstorms that marches across the country like a wall.
The strongest wind usually arrives a minute or two before the heavy rain.
Where the line bulges forward into a bow, the gusts behind the bulge can flatten whole stands of
  timber.
* Derecho | the derecho
A derecho is a windstorm driven by a fast line of thunderstorms and leaves damage along hundreds
  of kilometres.
Unlike a tornado it blows in one direction, so fallen trees lie side by side like combed hair.
Power cuts after a derecho often last longer than those after a hurricane, because nobody had
  time to prepare.
* Downburst | the downburst
A downburst is a column of cold, heavy air that falls out of a storm and splashes outward at the
  ground.
Pilots fear it because a head wind turns into a tail wind within seconds.
The wettest downbursts look like a grey curtain with a curl at its foot.
* Hailstorm | the hailstorm
A hailstorm forms when strong updrafts carry droplets again and again through air that is far
  below freezing.
A hailstone cut in half shows clear and milky rings, one for each kind of cloud it has passed.
Stones the size of a hen's egg fall fast enough to break roof tiles and windscreens.
* Blizzard | the blizzard
A blizzard is a snowstorm with strong wind and hardly any visibility that lasts for three hours
  or more.
It needs no fresh snowfall at all if the wind can lift what already lies on the ground.
Ranchers tie a rope between house and barn, since people have lost their way within twenty
  steps.
* Ice storm | the ice storm
An ice storm covers everything in clear ice when rain falls through a shallow layer of frozen
  air.
A coat of ice one centimetre thick can add half a tonne to the span between two power poles.
The danger lasts until the thaw, when heavy plates of ice slide from roofs and towers.
* Hurricane | the hurricane
A hurricane is a tropical storm whose steady wind has passed 119 kilometres an hour.
Its engine is warm sea water, and it begins to die as soon as it crosses a cold current or a
  coast.
Inside the eye the sky may be blue while the ocean below heaves from every direction.
* Typhoon | the typhoon
Typhoon is the name given in the western Pacific to the same kind of storm that the Atlantic
  calls a hurricane.
The western Pacific has no quiet season, so a typhoon may form in any month of the year.
Fishing fleets in the region keep lists of sheltered bays and race for them when a typhoon
  turns.
* Waterspout | the waterspout
A waterspout is a whirling column of air and spray over a lake or the sea.
Most waterspouts grow upward from the surface under a harmless looking row of clouds.
A waterspout that wanders ashore is counted as a tornado from that moment on.
* Dust storm | the dust storm
A dust storm rises when strong wind crosses dry, bare soil and lifts it into a brown wall.
Drivers are told to leave the road and switch off their lights, so that nobody follows them into
  a ditch.
Fine dust from a single storm can cross an ocean and fall as red rain on the other side.
*~ Lightning strike | the lightning strike
A lightning strike carries the charge of a thundercloud to the ground in a channel no wider than
  a thumb.
The air in the channel becomes several times hotter than the surface of the sun, and its sudden
  swelling is the thunder.
A strike may land ten kilometres from the rain, under a sky that still looks friendly.
* Flash flood | the flash flood
A flash flood is a sudden rise of water that follows heavy rain by minutes or a few hours.
Dry stream beds are the worst places to camp, because the rain may fall beyond the horizon.
Knee-deep water that moves fast is enough to push a small car off the road.
* Storm surge | the storm surge
A storm surge is a dome of sea water that the wind of a great storm pushes against the coast.
It does the most harm when it arrives together with the high tide.
More people have drowned in storm surges than have died from the wind of the same storms.
* Gust front | the gust front
A gust front is the leading edge of the cold air that spreads out below a thunderstorm.
It often shows as a long, low shelf of cloud that seems to roll toward the observer.
New storms are born along it where the cold air lifts the warm air ahead.
* Northeaster | the northeaster
A northeaster is a winter storm that strengthens along the coast and blows from the sea for
  days.
It takes sand from the beaches in a single weekend that a whole summer had put there.
Inland the same storm brings deep snow, and the line between rain and snow decides who can go to
  work.
* Thunderstorm | the thunderstorm
A thunderstorm is a cloud tall enough to make lightning, and it begins with warm, moist air that
  rises.
An ordinary cell lives for about forty minutes and dies in its own rain.
At any moment some two thousand thunderstorms are at work around the world.
* Snow squall | the snow squall
A snow squall is a short, blinding burst of snow that comes with a cold front or off a warm
  lake.
The road behind a driver may be sunny while the road ahead has vanished.
Most of the great winter pile-ups began with a squall that lasted less than half an hour.
* Winter gale | the winter gale
A winter gale is the strong, steady wind that belongs to a deep low over the ocean.
Ferries stay in port once the waves outside the breakwater pass four metres.
A gale that lasts two days does more harm to a forest than a stronger one that lasts two hours.
* Cold front | the cold front
A cold front is the border along which cold air pushes under warm air and lifts it.
The barometer falls as it comes near and jumps upward once it has passed.
In spring the warm side of a cold front is where the worst thunderstorms gather.
*~ Wall cloud | the wall cloud
A wall cloud is a lowered, often turning block of cloud below the base of a strong thunderstorm.
It marks the place where the updraft pulls in air that the rain has already cooled.
Only a few wall clouds ever produce a tornado, but spotters never take their eyes off one.
* Atmospheric river | the atmospheric river
An atmospheric river is a long, narrow stream of moist air that carries more water than any
  river on land.
When it meets a mountain range it drops that water as days of rain and snow.
A weak one fills the reservoirs, and a strong one that stalls breaks the dams.
*~ Mesocyclone | the mesocyclone
A mesocyclone is the turning heart of a strong thunderstorm, a few kilometres across.
On Doppler radar it shows as a pair of colours side by side, air that comes and air that goes.
A tight and deep mesocyclone is often the first reason to send out a tornado warning.
* Tropical storm | the tropical storm
A tropical storm is a turning system of rain and wind over warm water that is not yet a
  hurricane.
It receives a name as soon as the wind reaches 63 kilometres an hour.
Slow tropical storms have caused some of the worst floods on record without ever becoming
  hurricanes.
* Fire whirl | the fire whirl
A fire whirl is a turning column of flame and smoke above a very hot wildfire.
Some have been strong enough to twist steel towers and leave tornado damage behind.
Fire crews post a lookout for nothing else on hot and windy afternoons.
## How it forms
Every severe storm needs moisture, unstable air and something that gives the first push upward.
Forecasters compare {s} with {o}, because the two draw on some of the same ingredients.
The contrast between warm air near the ground and cold air aloft decides how much energy is
  available.
Wind that changes with height keeps the rain away from the updraft, and so lets a storm live
  longer.
In {place} the conditions come together most often in {time}.
A thin lid of warm air may hold everything back for hours and then break within minutes.
Hills, coastlines and even the edge of a large city can decide where the first cloud towers
  rise.
Much about the birth of {s} is still uncertain, since the decisive minutes happen where no
  instrument stands.
## Forecasts and warnings
{S} can be expected a few days ahead only in broad terms, as a shaded area on the map.
A watch means that severe weather is possible, and a warning means that it has been seen or is
  about to arrive.
Radar shows rain and wind inside the clouds, while trained spotters report what happens below
  them.
{S} is harder to forecast than {o}, and the warning often comes with less time to spare.
The forecast desk runs the same model many times with small changes and counts how often a storm
  appears.
Too many false alarms teach people to ignore the siren, so {service} checks every warning
  afterwards.
Satellites take a picture every few minutes and reveal growing cloud tops before the first rain
  falls.
The best warning is useless if it does not reach the campsite, the tractor and the football
  ground.
## Damage and aftermath
Insurance records show that wind and hail cost more in an ordinary year than all other natural
  hazards.
Roofs fail first at the edges, and once the wind is inside the house the walls follow.
After {s} the greatest dangers are fallen cables, broken gas pipes and portable generators used
  indoors.
Survey teams walk the track on foot, photograph every building and draw the outline of the
  damage.
A farmer can lose a season of wheat or apples in a quarter of an hour.
In {place} it took almost a month until the last house had electricity again.
Towns that were hit by {s} have often been hit by {o} within the same decade.
Schools and hospitals now keep a strengthened room, because the corridor alone is no safe
  shelter.
## Safety
The safest place is a small room on the lowest floor, far from windows.
Nobody should drive into water on the road, whatever the car in front has done.
A battery radio, a torch and drinking water for three days belong in every household.
When thunder follows the flash within thirty seconds, it is time to go indoors.
{S} leaves little time for decisions, so families should agree on a meeting place beforehand.
Mobile homes and tents offer no protection, even if they are tied down.
People who have lived through {o} are not always careful when {s} is announced.
## Climate and records
Reliable records of {s} go back only a few decades, which makes long trends hard to judge.
Warmer air holds more water, so the heaviest downpours are becoming heavier almost everywhere.
In {place} the old diaries of lighthouse keepers and parish clerks extend the record by two
  centuries.
The season appears to start earlier than it did a generation ago.
A quiet year proves little, because storms come in clusters with long gaps between them.
The number of reports has grown mainly because there are more people, more cameras and more
  roads.
Researchers at {service} are building a catalogue in which {s} and {o} are described by the same
  measures.
%% headlines
{T} brings down power lines in {place}
Clean-up begins after {s} in {place}
New radar will give earlier warning of {s}
Forecasters defend their warning about {s}
Schools closed as {s} nears {place}
%% news
{S} passed over {place} in {time} and left several thousand homes without electricity.
According to {service}, the first warning was sent out eighteen minutes before the worst of the
  weather arrived.
No deaths were reported, although eleven people were treated for cuts and bruises.
Road crews worked through the night to clear fallen trees from the main routes.
"We heard a roar and went down to the cellar," said the owner of a garden centre whose
  greenhouses were destroyed.
Meteorologists said that {s} had formed along the same boundary that produced {o} a day earlier.
Insurers expect claims for roofs and vehicles to continue for weeks.
Farmers in the area are counting the loss of fruit trees and standing grain.
More thunderstorms are expected before drier air arrives on {weekday}.
{service_cap} has asked residents to send in photographs of the storm clouds with time and
  place.
%% posts
Waiting for {s} in {place}
What {s} taught me about storm spotting
Notes from a storm diary: {s}
Why {s} still frightens me
%% blog
I have kept a storm diary since I was twelve, and {s} fills more of its pages than anything
  else.
We parked on a farm track in {place}, engines pointing toward the way out, as every spotter
  should.
By midday the air felt thick, and the cattle had moved to the low end of the field.
The first towers went up to the west, white and hard-edged like cauliflower.
I do not chase for the thrill of it, and I turn back when I lose sight of my way out.
The radar app on my phone had stopped updating, so I went by the wind and the smell of rain.
If you have only ever watched {s} on a screen, the sound is what will surprise you.
On the way home we passed a village where the lightning had hit the church tower.
My notes say pressure 998 and falling, wind from the south-east, and then only three exclamation
  marks.
Next week I will compare what we saw with the soundings from that day.
%% faq
How much warning will I get? :: That depends on the storm; for {s} it can be days of general
  notice but only minutes of certainty.
Is it safe to shelter under a bridge? :: No. The wind speeds up in the gap, and flying debris
  collects there.
What is the difference between {s} and {o}? :: They may come from the same weather system, but
  they form in different ways and call for different precautions.
Should I open the windows before the storm? :: No. Open windows only let wind and water in; use
  the time to get to the lowest floor.
Does {s} always come with thunder? :: Not always. Do not wait for thunder if a warning has been
  issued for your area.
Where can I report severe weather? :: Call {service}, and say what you saw, where you were and
  at what time.
%% threads
Anyone else tracking {s} tonight?
Question about {s} on radar
Photos: {s} over {place}
How do you prepare for {s}?
%% forum
Looking at the latest scan there is clear rotation south of town, so keep the shoes on and the
  phone charged.
We had pea-size hail for five minutes and then nothing, the sky turned green and it went
  completely still.
Please do not post old pictures here, somebody already shared one from {o} three years ago.
The soundings show plenty of energy but the cap looks strong, my bet is that nothing fires
  before dark.
In {place} the siren went off twice and both times it was justified.
Does anybody have a barometer log for {s}? I would like to compare it with mine.
I bought a weather radio after the last one and it woke us up in time.
Remember that radar looks above the horizon, at your distance the beam is already two kilometres
  up.
Power is back here, thanks to the crews who drove in from the islands.
%% accented
The Spanish word tormenta and the French word tempête both go back to words for time and
  twisting.
El Niño and La Niña years shift the storm tracks, as the station at Peña Alta has recorded since
  1951.
Observers in the hills of São Telmo call the roll cloud "o lençol", the bed sheet.
"""
