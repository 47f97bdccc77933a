"""Coffee: here java is a bean and an island."""

TEXT = """
@keywords: coffee; espresso; java; roasting; arabica
@place: the highlands of Java; the hills above Santa Brisa; the Kiringa hills; the valley of
  Monte Claro; the lake plateau
@maker: the Quay Street roastery; the Santa Brisa growers' union; the Lantern coffee bar; the
  Guild of Independent Roasters
* Java coffee | Java coffee
Java coffee comes from the island of Java, where the plant was first grown in gardens by the
  sea.
After a leaf disease killed the lowland trees, planting moved to the volcanoes in the east of
  the island.
The trade made the name so common that java became a word for coffee itself.
* Espresso | espresso
Espresso is coffee made by pushing hot water through a packed bed of fine grounds under high
  pressure.
The whole extraction takes about half a minute.
The golden foam on top holds much of the smell and disappears within two minutes.
* Filter coffee | filter coffee
Filter coffee is made by letting hot water run slowly through ground coffee and paper.
The paper holds back oils, so the cup is clear and light.
A slow circular pour keeps the bed level and the extraction even.
* Cold brew | cold brew
Cold brew is coffee steeped in cold water for twelve hours or more.
It tastes round and mild, because cold water dissolves fewer of the sharp acids.
The concentrate keeps for a week in the refrigerator and is thinned before drinking.
* Turkish coffee | Turkish coffee
Turkish coffee is boiled with its finely powdered grounds in a small pot with a long handle.
The foam must rise but never boil over, and a good host divides it fairly.
The cup is left alone for a minute so that the grounds can settle.
* Mocha | mocha
Mocha was at first the name of a port on the Red Sea from which nearly all coffee was shipped.
The beans were small and round and were said to taste of cocoa.
Today the word on a menu mostly means coffee with chocolate and milk.
* Arabica | arabica
Arabica is the coffee species behind most of the beans sold for their flavour.
It grows best at altitude, where cool nights slow down the ripening of the cherry.
The plant pollinates itself, so that trees on different continents are close relatives.
* Robusta | robusta
Robusta is a hardy coffee species that grows in hot lowlands and resists many diseases.
It contains about twice as much caffeine as arabica.
Blenders add a share of it to espresso for body and a thick foam.
*~ Coffee cherry | the coffee cherry
The coffee cherry is the fruit of the coffee tree, and the two beans are its seeds.
It ripens unevenly, so pickers return to the same branch several times.
The skin can be dried and brewed as a tea that tastes of raisins.
*~ Washed process | the washed process
The washed process removes the fruit from the bean before drying.
The beans ferment in tanks for a day or two until the sticky layer comes off.
It needs much clean water, and the waste has to be treated before it goes back into the river.
*~ Natural process | the natural process
The natural process dries the whole cherry in the sun with the bean inside.
It brings out flavours of berries and wine when it goes well, and of vinegar when it does not.
Workers rake the cherries every hour and cover them at night.
* Green coffee | green coffee
Green coffee is the raw bean, grey-green and hard, that keeps for a year in a dry store.
It smells of hay and has almost nothing of the flavour of a cup.
Buyers check it for size, moisture and defects before a price is agreed.
* Light roast | the light roast
The light roast is stopped soon after the beans crack for the first time.
It keeps the acidity and the flowery notes of the farm.
Because the beans stay dense, they are harder to grind and slower to extract.
* Dark roast | the dark roast
The dark roast goes on until the beans crack again and oil appears on the surface.
Its taste of smoke and bitter chocolate comes from the roaster more than from the farm.
Oily beans go stale within two weeks and leave a film in the grinder.
*~ Burr grinder | the burr grinder
The burr grinder crushes beans between two toothed discs or cones set a fixed distance apart.
Even particles matter more to the taste than almost any other piece of equipment.
The burrs need a brush once a week and new edges after some hundred kilos.
* Moka pot | the moka pot
The moka pot is a small stove-top kettle in which steam pushes water up through the coffee.
It should be taken off the heat as soon as it begins to gurgle.
Families argue about whether it may ever be washed with soap.
* French press | the French press
The French press steeps coarse coffee for four minutes and then holds the grounds down with a
  sieve.
The metal sieve lets oils through and gives a heavy cup.
Stirring once and waiting a little longer leaves less mud at the bottom.
* Decaf | decaf
Decaf is coffee from which nearly all the caffeine has been taken out while the bean was still
  green.
Water, steam or pressed carbon dioxide does the work, and each leaves its own trace in the
  taste.
Good decaf is hard to roast because the beans are already brown.
* Latte | the latte
The latte is a shot of espresso under a large amount of steamed milk.
Milk that is heated above seventy degrees loses its sweetness.
The leaf and heart patterns on top need nothing but practice and a steady wrist.
*~ Cupping | cupping
Cupping is the way the trade compares coffees, with a bowl, a spoon and a loud slurp.
Every sample is ground and soaked in exactly the same way.
Tasters write down their notes in silence before anybody speaks.
*~ Coffee rust | coffee rust
Coffee rust is a fungus that covers the leaves with orange powder and starves the tree.
It ended coffee growing in whole countries within twenty years.
Growers fight it with shade, distance between trees and resistant varieties.
*~ Coffee house | the coffee house
The coffee house was for two centuries the place where news was read aloud and ships were
  insured.
A single cup bought the right to stay all day.
Several rulers tried to close them, and none succeeded for long.
* Shade-grown coffee | shade-grown coffee
Shade-grown coffee stands under taller trees instead of in open rows.
The yield is lower, but the trees live longer and the soil stays in place.
Birds find food and nesting places there that an open plantation does not offer.
*~ Caffeine | caffeine
Caffeine is the bitter substance with which the coffee plant defends its leaves and seeds.
It blocks the signal in the brain that says it is tired.
Half of the dose is still in the blood five hours after the cup.
* Coffee blend | the coffee blend
The coffee blend joins beans from several origins so that the taste stays the same all year.
A classic one combines a heavy Java with a bright mocha.
Roasters keep the recipe secret and change it every few months.
## Taste in the cup
Sour and thin means too little was extracted, and bitter and dry means too much.
{S} is often compared with {o}, although the two please different people.
Water makes up more than ninety-eight parts in a hundred of the cup, so its hardness matters.
Tasters speak of body, acidity and aftertaste before they look for berries or nuts.
Freshly roasted coffee needs a few days of rest before it shows what it can do.
With {s}, a change of half a gram is enough to notice.
Smell fades first, and coffee that has stood open for a week tastes of paper.
A warm cup keeps the flavour alive for longer than a thick one.
## Growing and harvest
A coffee tree bears its first full crop after four years and may go on for thirty.
In {place} the pickers start at dawn and carry the sacks down on foot.
A day of hard picking yields about as much roasted coffee as one small cafe uses before noon.
Frost on a single night can move the price of coffee on the other side of the world.
Much of what is sold as {s} begins on farms smaller than two football fields.
In the picking season every hand in the village is needed, and the school closes.
Ripe cherries are red or yellow, and one green cherry in twenty is enough to spoil the lot.
Growers who plant for {s} may find that the market has turned to {o} by the time the trees bear.
## Roasting and brewing
During the roast the beans lose a fifth of their weight and almost double in size.
The first crack sounds like popcorn, and from then on every second counts.
For {s}, as for everything else, the water should be soft and fresh.
Grind only what you need, and weigh it, because a spoon is no measure.
A clean machine matters more than an expensive one.
{maker_cap} roasts in small drums and cools the beans with air instead of water.
Whoever has mastered {s} will find {o} easier to understand.
Keep the beans in a dark, closed tin, and not in the refrigerator.
## Trade and price
Coffee is traded as a future, so the price of a harvest is often settled before it is picked.
Between the farm and the cup a bean may change hands eight times.
{maker_cap} publishes what it pays to the growers for every sack.
The price of {s} follows the harvest in a few large countries more than the quality of any
  single farm.
Small farmers sell early because they need cash, and buy their own food back at a higher price.
Certificates for organic or fair trade coffee help, but they cost a fee that the poorest cannot
  pay.
Freight and storage cost little per cup; rent and wages in the cafe cost the most.
## History
Coffee reached the ports of Europe in the seventeenth century, at first as a medicine.
Seedlings were carried across oceans under glass, and some captains shared their drinking water
  with them.
Plantations on Java and in the Caribbean were built on forced labour, which the trade long
  preferred to forget.
{S} owes much to the time when cities grew and people began to work by the clock.
Old price lists show {s} next to {o}, with tea far below.
The paper filter, the pressure machine and the instant powder all appeared within about fifty
  years.
%% headlines
{T} wins new friends in {place}
Growers worry about the price of {s}
Roasters report record demand for {s}
Late rain delays the harvest for {s}
Tasting week puts {s} on the table
%% news
{maker_cap} says that sales of {s} have grown by a quarter within a year.
Traders blame the rise in prices on a short harvest in {place}.
Cafe owners expect to charge a little more per cup from {weekday}.
"Guests ask where the beans come from, and that is new," said a barista at the fair.
Growers gain less than one might think, since most contracts were signed last autumn.
The annual tasting gave its first prize to a small farm that dries its cherries on raised beds.
Shops that used to sell only {o} are making room on their shelves.
A new washing station will save two thirds of the water used so far.
Dealers report that stocks in the port warehouses are at their lowest for ten years.
%% posts
My slow road to {s}
{T} at home, without expensive gear
A week of {s} in {place}
{T}: confessions of a sceptic
%% blog
I drank instant coffee for fifteen years and thought that {s} was for people with too much time.
Then a friend put a cup of it in front of me in {place}, and I went home and threw out the jar.
My scale shows tenths of a gram, and yes, my family laughs about it.
The first attempts tasted of burnt toast, the next ones of lemon.
What changed everything was a decent grinder and water from a jug filter.
On a cold morning nothing is better than warming both hands on the cup.
I asked at {maker} how they do it, and the answer was: we taste, and then we taste again.
Next month I want to try {o}, although I am told that it takes patience.
Write down what you do, because you will not remember why Tuesday was so good.
%% faq
How much coffee should I use? :: Start with sixty grams per litre and adjust; for {s} you may
  like a little more.
How should I store the beans? :: Closed, dark and at room temperature, and use them within six
  weeks.
Is {s} stronger than {o}? :: In taste perhaps, but the caffeine depends on the dose and the
  bean.
Can I use tap water? :: If it tastes good and leaves little scale in the kettle, yes.
Where do your beans come from? :: This season mainly from {place}, bought through {maker}.
Do you ship on the day of roasting? :: We roast on Mondays and Thursdays, and parcels leave the
  next morning.
%% threads
{T}: help, everything tastes sour
Best beans for {s} this month?
Grinder advice for {s}
Who has tried {s} from {place}?
%% forum
Go finer by one step and change nothing else, otherwise you will never know what helped.
How old are the beans? Anything with oil on it and no date on the bag is a gamble.
I get the same with hard water, try one bottle of the soft kind before you buy a new machine.
For me {o} is the better choice in the morning, it forgives more.
My roast stalled just before first crack, is the batch lost?
Thanks, the longer rest did it, the sourness is gone and there is some chocolate now.
{maker_cap} sells sample bags of 100 grams, which is enough to find out.
Rinse the paper first, that is where your cardboard taste comes from.
Honestly any java is fine with me at six in the morning.
%% accented
In a Vienna café one orders a mélange, in Lisbon a bica and in Paris a café crème.
The farm of Água Fria sells its beans to a roastery in Málaga and another in Zürich.
Crème brûlée and a short espresso end the menu, and the word crème returns on the coffee itself.
"""
