"""Tropical rainforest: here the Amazon is a river and a forest, and Java an island."""

TEXT = """
@keywords: rainforest; amazon; tropical forest; canopy; biodiversity
@place: the upper Amazon; the flooded forest near Tavara; the Rio Sereno valley; the Guiana
  highlands; the foothills of the Andes; the lower Tavara basin
@time: the dry months; the first weeks of rain; the hour before dawn; the long wet season
@institute: the Tavara field station; the Institute for Canopy Studies; the Lowland Forest
  Trust; the River and Forest Museum
* Amazon River | the Amazon River
The Amazon River carries about a fifth of all the fresh water that flows into the world's
  oceans.
Its water is brown with silt from the mountains, while some of its tributaries run black as tea.
For weeks each year the river stands ten metres above its low mark and ships tie up between the
  trees.
* Amazon rainforest | the Amazon rainforest
The Amazon rainforest covers most of a basin nearly as large as a continent.
Half of the rain that falls there has been breathed out by trees farther east.
It is no single forest but a patchwork of dry ground, swamp, bamboo thicket and white sand.
* Forest canopy | the forest canopy
The forest canopy is the closed roof of leaves thirty to forty metres above the ground.
Nine tenths of the sunlight never gets below it.
Researchers reach it with ropes, cranes and walkways hung between the largest trunks.
* Kapok tree | the kapok tree
The kapok tree stands above the rest of the forest with a trunk braced by roots like the fins of
  a rocket.
Its seeds float away in white fluff that was once used to fill life jackets.
Bats pollinate its flowers, which open at dusk and smell of sour milk.
* Strangler fig | the strangler fig
The strangler fig starts life as a seed dropped on a branch and sends its roots down to the
  ground.
After decades the roots join into a lattice, and the tree that carried it rots away inside.
Its fruit ripens at odd times of year and keeps monkeys and toucans alive when nothing else is
  ripe.
* Leafcutter ant | the leafcutter ant
The leafcutter ant carries pieces of leaf home to feed a fungus, which is the only thing its
  larvae eat.
A large nest holds several million ants and moves as much earth as a small excavator.
The trails they keep clean can be followed through the forest for two hundred metres.
* Rhinoceros beetle | the rhinoceros beetle
The rhinoceros beetle is named after the curved horn with which the males push one another off a
  branch.
Its grubs live for two years in rotting wood before the adult beetle appears.
For its weight it is among the strongest animals that have been measured.
* Poison dart frog | the poison dart frog
The poison dart frog warns its enemies with colours as bright as enamel.
It takes its poison from the ants and mites it eats, so frogs raised in a tank are harmless.
The parents carry their tadpoles one by one to tiny pools in the leaves of bromeliads.
* Pink river dolphin | the pink river dolphin
The pink river dolphin swims between the trees of the flooded forest and finds its prey by
  sound.
Its neck bends sideways, which helps it to turn among roots and branches.
Fishing nets and mercury from gold mines are its two greatest dangers.
* Giant river otter | the giant river otter
The giant river otter lives in noisy families on quiet lakes and streams.
Each animal can be recognised by the pale patch on its throat.
A family eats more than twenty kilos of fish a day and defends its lake against caimans.
* Harpy eagle | the harpy eagle
The harpy eagle hunts sloths and monkeys and has claws as long as the fingers of a child.
A pair raises one chick every two or three years.
Because it needs so much forest, its nest is taken as a sign that a region is still healthy.
* Three-toed sloth | the three-toed sloth
The three-toed sloth moves so slowly that algae grow in its fur.
It climbs down from its tree about once a week and is then at the mercy of every hunter.
Moths live in its coat and nowhere else.
* Howler monkey | the howler monkey
The howler monkey greets the morning with a roar that carries for three kilometres.
A hollow bone in its throat works like the body of a cello.
It lives mainly on leaves and spends most of the day digesting them.
* Scarlet macaw | the scarlet macaw
The scarlet macaw nests in hollow trees and gathers at river banks to eat clay.
The clay seems to supply salt that is scarce so far from the sea.
A pair stays together for life and can be heard long before it is seen.
* Brazil nut tree | the Brazil nut tree
The Brazil nut tree drops fruit as heavy as a cannonball, each packed with a dozen or more nuts.
Only one large rodent, the agouti, has teeth strong enough to open them.
Since the tree hardly bears fruit in plantations, the nuts give people a reason to keep the
  forest.
* Giant water lily | the giant water lily
The giant water lily has floating leaves wide enough to carry a small child.
Each flower opens white on the first evening and pink on the second.
The beetle that pollinates it is locked inside for the night in between.
* Flooded forest | the flooded forest
The flooded forest stands in deep water for up to half of the year.
Fish swim among the branches, eat the falling fruit and carry the seeds away.
When the water drops it leaves a fresh layer of mud in which people plant beans and melons.
*~ Blackwater stream | the blackwater stream
The blackwater stream is stained by leaves and so poor in salts that mosquitoes hardly breed in
  it.
Its water is as clear and brown as strong tea.
Many small aquarium fish are found in such streams and nowhere else.
*~ Forest soil | the forest soil
The forest soil is poor, because the rain washes it out and the trees hold nearly all the
  nutrients.
A leaf that falls is taken apart by fungi and termites within a few weeks.
In some places people of earlier centuries left a rich black earth full of charcoal and broken
  pots.
*~ Javan gibbon | the Javan gibbon
The Javan gibbon lives only in the remaining mountain forests of Java.
Its pairs sing from the treetops at sunrise, the female leading.
The forest on the volcanoes of western Java is now cut into islands that no gibbon can cross.
* Rubber tree | the rubber tree
The rubber tree bleeds white milk when its bark is cut, and a careful tapper can use it for
  thirty years.
The rubber boom built opera houses on the river and ruined whole peoples.
Tappers later became some of the strongest defenders of the standing forest.
*~ Mahogany | mahogany
Mahogany is a reddish timber from a tree that grows far apart from others of its kind.
To reach a single trunk, loggers open many kilometres of track.
The tracks remain, and settlers and fires follow them.
*~ Deforestation | deforestation
Deforestation is the clearing of forest for cattle, crops, mines and roads.
From the air it looks like the bones of a fish, with side roads branching from a highway.
Most clearing happens within a few kilometres of a road or a navigable river.
*~ Forest reserve | the forest reserve
The forest reserve is an area in which clearing is forbidden and hunting is limited.
Reserves that belong to the people who live there lose less forest than those that are only
  guarded.
A ranger may be responsible for an area as large as a small country.
* Liana | the liana
The liana is a woody vine that uses trees as a ladder to the light.
When one tree falls, lianas can drag down its neighbours as well.
Some hold drinking water, and people of the forest know which ones.
## Life in the forest
A single hectare can hold more kinds of trees than the whole of northern Europe.
{S} depends on partners, and many of those partners depend on {o} in turn.
On the forest floor it is dim and still, and most of the noise comes from far above.
Animals divide the day between them: some feed at dawn, some at dusk, and a great many only at
  night.
In {place} the best time to observe is {time}.
Almost every leaf shows the marks of an insect, and almost every insect has its own wasp.
Nothing goes to waste, since a fallen trunk feeds beetles, fungi and seedlings for decades.
The richness of {s} makes more sense once one knows {o}.
## Rain and rivers
The forest makes part of its own rain by breathing out water that falls again farther inland.
Rivers are the roads here, and the distance to a village is counted in days by boat.
At the height of the flood the water climbs the trunks and leaves a line of mud that shows its
  height for the rest of the year.
Some years the rain fails, and the floor of the forest becomes dry enough to burn.
{S} is tied to the rhythm of the flood, as almost everything in the basin is.
Clouds form over the trees by midday, and by four o'clock it is pouring.
Scientists tell white, clear and black water apart, and each has its own fish.
## People
People have lived in these forests for at least ten thousand years and have changed them in many
  ways.
Names for {s} exist in dozens of languages, and several of them have fewer than a hundred
  speakers.
Families along the river fish, plant manioc and sell fruit, and few of them live from one thing
  alone.
Those who know the forest best have often been asked last.
The market in the port sells smoked fish, medicine bark, palm fruit and plastic buckets side by
  side.
Older hunters tell stories in which {s} and {o} were once people.
Schools along the river now teach in the local language for the first four years.
## Threats
Cattle pasture is the most common use of cleared land, and much of it is abandoned after a few
  years.
Gold miners use mercury to bind the metal, and the poison travels down the river in the fish.
A road brings doctors and teachers, and it also brings chainsaws.
The loss of {s} would be felt by {o} and by many species that nobody has described yet.
Fire is not natural in a wet forest, and most trees have bark too thin to survive it.
Satellite pictures show new clearings within days, but it may take weeks until a patrol gets
  there.
In {place} about a third of the original forest has disappeared within one lifetime.
## Research and protection
{institute_cap} has followed the same plots since the 1970s and measures every tree once a year.
Cameras that react to warmth have made it possible to count shy animals without disturbing them.
Much of what is known about {s} comes from a handful of field stations.
Young botanists learn the trees by their bark, their smell and the sound of a knife on the
  trunk.
Protected areas work best when they are joined by corridors along the streams.
Replanted forest grows quickly at first, but it may take a century until {s} and {o} are back.
Carbon payments have helped some villages and disappointed others.
The most urgent question is how much forest a region can lose before it becomes too dry for the
  rest.
%% headlines
Study finds {s} under pressure in {place}
New reserve protects {s} in {place}
Dry year puts {s} at risk
Villagers and scientists join to map {s}
Rangers report good news about {s}
%% news
{institute_cap} has published the results of a ten-year survey of {s}.
The study covers forty plots in {place} and is one of the largest of its kind in the tropics.
According to the authors, the changes are strongest close to roads.
"We expected losses, but not in the middle of the reserve," said the leader of the field team.
The rains came late for the third year in a row, and river boats could not reach the upper
  villages.
A local association of nut gatherers helped the researchers to find the old trees.
The government has announced more patrols, although only two boats are available at present.
Conservation groups ask that {o} should be included in the next survey.
Satellite data suggest that clearing in the region fell by a tenth compared with the year
  before.
The full report, with maps, will be presented at the River and Forest Museum on {weekday}.
%% posts
Three weeks in the rainforest, looking for {s}
A morning with {s}
Letter from {place}: {s}
Mud, rain and {s}
%% blog
The boat left before light, and we heard the forest long before we saw it.
I had come to {place} to see {s}, and for six days I saw nothing but leaves.
Our guide grew up here and recognises every bird by two notes.
Everything I own is damp, including the pages of this notebook.
Then, in {time}, there it was, and I forgot to lift the camera.
People ask whether the rainforest is dangerous; the honest answer is that I was mostly bothered
  by very small bees.
At night the tin roof of the station rings with rain and nobody can talk.
A student from {institute} showed me how {o} fits into the story.
I came home with a hundred bites and a new respect for mud.
If you go, bring dry bags, patience and a hammock with a net.
%% faq
Where can I see {s}? :: Your best chance is a longer stay near {place}, with a local guide.
Is the Amazon the only rainforest? :: No. Large rainforests also grow in the Congo basin, in New
  Guinea, on Borneo and, in small remains, on Java.
Why does {s} matter? :: Because many other species, {o} among them, are linked to it.
When is the rainy season? :: It differs from place to place; on the great river the flood
  follows the rain by two or three months.
Does buying forest products help? :: Nuts, fruit and rubber from standing forest give people a
  reason to keep it.
How can I support {institute}? :: You can sponsor a study plot or volunteer for the yearly tree
  count.
%% threads
Travel report: {s} and the flooded forest
Is {s} really disappearing?
Volunteer season at {institute}
Reading list about {s}
%% forum
We spent nine days on the river last year and the guides were wonderful, do not book the
  cheapest boat.
I would not trust that figure, it counts regrowth as forest.
Saw {o} twice near the station, both times from the canoe and both times before breakfast.
Rubber boots, not hiking boots, and two pairs of everything.
The paper everyone quotes measured plots in {place}, which is wetter than the rest of the basin.
Can anybody identify the frog in my picture? Size of a thumbnail, blue legs, in a bromeliad.
The tree count is hard work but you learn two hundred species in three weeks.
Please stop sharing coordinates of nests, collectors read this forum too.
My grandmother tapped rubber there, she says the lake was twice as large.
%% accented
In Portuguese the forest floor is called o chão da floresta, and the flooded forest igapó.
The town of São Miguel do Igarapé lies between two arms of the river, a day from Tefé Velho.
Maracujá, cupuaçu and açaí are sold on the jetty before sunrise.
"""
