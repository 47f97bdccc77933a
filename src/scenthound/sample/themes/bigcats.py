"""Big cats: here the jaguar and the puma are animals."""

TEXT = """
@keywords: big cats; jaguar; puma; leopard; wild cat
@place: the Pantal wetlands; the hills of Sierra Parda; the hill country of Varanad; the Obanga
  plains; the valleys below Tashkur; the southern steppe
@time: the dry season; the breeding months; the cool months; the weeks after the rains
@institute: the Sierra Parda cat project; the Obanga carnivore centre; the Varanad forest
  college; the Wild Cat Fund
* Jaguar | the jaguar | Jaguar_(animal)
The jaguar is the largest cat of the Americas, with its stronghold in the Amazon basin, and the
  only one there that roars.
It kills with a bite through the skull, which no other big cat does as a habit.
Its rosettes are large and often have a dark spot in the middle, unlike those of the leopard.
* Puma | the puma | Puma_(animal)
The puma lives from the northern forests down to the far south of the Americas and has more
  names than any other cat.
It cannot roar, but it purrs, whistles and screams.
With its long hind legs it can jump more than five metres upward from a standing start.
* Leopard | the leopard | Leopard_(animal)
The leopard is the most adaptable of the big cats and lives in deserts, forests and the edges of
  cities.
It drags prey heavier than itself into a tree to keep it from hyenas.
In some hill forests every second leopard is black.
* Tiger | the tiger
The tiger is the heaviest living cat and the only one with stripes.
Every animal has its own pattern, and even the shaved skin shows it.
It swims well and spends hot afternoons lying in water up to the neck.
* Lion | the lion
The lion is the only cat that lives in a family group, called a pride.
The females of a pride are related, hunt together and suckle one another's cubs.
Two or three brothers may hold a pride for a few years before stronger males arrive.
* Snow leopard | the snow leopard
The snow leopard lives above the tree line and keeps its balance on cliffs with a tail as long
  as its body.
It wraps that tail around its face when it sleeps.
Herders call it a ghost, since many have lost goats to it without ever seeing one.
* Cheetah | the cheetah
The cheetah is the fastest animal on land and tires within half a minute.
Its claws stay out and work like the spikes of a running shoe.
It hunts by day to avoid lions and often loses its meal to them all the same.
* Clouded leopard | the clouded leopard
The clouded leopard has the longest canine teeth for its size of any cat alive.
It can climb down a trunk head first.
Almost everything known about its life in the wild comes from automatic cameras.
* Ocelot | the ocelot
The ocelot is a spotted cat about twice the weight of a house cat.
It hunts rodents at night and marks its paths with scent at fixed places.
Its fur was once so popular that trade in it emptied entire forests.
* Margay | the margay
The margay is a small forest cat that can hang from a branch by one hind foot.
Its ankles turn so far that it runs down trees like a squirrel.
It has been heard to imitate the call of young monkeys.
* Lynx | the lynx
The lynx has tufted ears, a short tail and feet that work like snowshoes.
In the north its numbers rise and fall with those of the snowshoe hare.
It sits and waits for hours near a game trail.
* Serval | the serval
The serval has the longest legs of any cat in proportion to its body and ears like dishes.
It listens for mice in high grass and comes down on them with a jump.
About half of its attempts succeed, far more than those of a lion.
* Caracal | the caracal
The caracal is a sand-coloured cat with long black tufts on its ears.
It leaps into a flock and can strike down several birds before it lands.
Farmers dislike it, although it eats more rodents than lambs.
* Jaguarundi | the jaguarundi
The jaguarundi is a slim, plain-coloured cat that looks a little like an otter.
It is active by day, which is rare among small cats.
It is a closer relative of the puma than of the jaguar after which it is named.
* Black panther | the black panther
The black panther is no species of its own but a leopard or jaguar with dark fur.
In slanting light the rosettes can still be seen.
Dark animals seem to do best in dense and wet forest.
* Iberian lynx | the Iberian lynx
The Iberian lynx eats rabbits and hardly anything else.
At the turn of the century fewer than a hundred were left.
Breeding stations and tunnels under the motorways have brought it back.
* Asiatic lion | the Asiatic lion
The Asiatic lion survives in one dry forest and the villages around it.
Its mane is shorter than that of its African cousins, so the ears stay visible.
A single disease could reach all of them, which is why a second home is being looked for.
* Florida panther | the Florida panther
The Florida panther is a small population of pumas in the swamps at the tip of a peninsula.
Its kinked tails were a sign of inbreeding until new animals were brought in from the west.
Most deaths today happen on the road.
*~ Cub | the cub
The cub of a big cat is born blind and stays hidden for its first weeks.
The mother carries it to a new den every few days to keep the smell from giving it away.
Play fights teach it how hard it may bite.
*~ Rosette | the rosette
The rosette is the ring of dark spots that breaks up the outline of a cat among leaves and
  shadows.
No two animals carry the same arrangement, so researchers use it like a fingerprint.
Computer programs now match the flanks in thousands of camera pictures within minutes.
*~ Territory | the territory
The territory of a big cat is an area that it marks with scratches, scent and calls.
That of a male usually covers those of several females.
Where prey is scarce it may be larger than a great city.
*~ Camera trap | the camera trap
The camera trap takes a picture whenever something warm passes by.
Two of them facing each other record both flanks of a cat at once.
The same pictures show poachers, cattle and a surprising number of curious cows.
*~ Wildlife corridor | the wildlife corridor
The wildlife corridor is a strip of cover that lets cats walk from one reserve to the next.
A young male may use one for only a single night in his life.
Under a motorway even a drainage pipe can do the work if there are bushes at both ends.
*~ Sabre-toothed cat | the sabre-toothed cat
The sabre-toothed cat died out at the end of the last ice age together with most of its prey.
Its long teeth were knives for the throat and would have broken on bone.
Healed injuries suggest that weak animals were fed by others.
*~ Poaching | poaching
Poaching for skins, teeth and bones remains a threat to big cats even inside reserves.
Wire snares set for deer catch cats as well.
Patrols with dogs find more snares than patrols without.
## Hunting and food
A big cat fails far more often than it succeeds, and most hunts are over within seconds.
It comes as near as it can under cover, then rushes over the last twenty metres.
Large prey is hidden under leaves or dragged into shade and eaten over several days.
Studies of {s} often begin with scat, from which hair and bones tell what was eaten.
In {place} deer and wild pigs make up most of the diet.
In the dry season the hunters follow their prey to the remaining water.
Where {s} meets {o}, the stronger takes the better hunting ground and the other shifts its
  hours.
Cats need meat and cannot live on anything else, so they are always few in number.
## Life and young
Most cats live alone and meet only to mate.
The young stay with their mother for a year and a half and learn to kill by watching.
Scratches on a tree and a certain smell tell a passing cat who lives there and how long ago it
  came by.
Less than half of all cubs reach their second year.
Much of what we know about {s} was learned from a few collared animals.
In captivity a big cat may reach twenty years, and in the wild hardly more than twelve.
Roars and calls carry farthest in the hours after sunset, when the air is still.
## Where it lives
In {place} the tracks are found along stream beds and old cattle paths.
The map of {s} has shrunk by more than half since the first surveys.
Water, cover and enough deer matter more to a cat than the kind of forest.
Young males wander hundreds of kilometres, cross highways at night and turn up where nobody
  expects them.
The range of {s} once touched that of {o} in places where both are gone today.
Farms and fences cut the habitat into pieces that are too small for a single male.
Tracks in the mud are round, as wide as a hand and show no claws.
## Cats and people
A herder who loses two cows to a cat loses the income of a season.
Dogs, lights and closed pens at night prevent most attacks on livestock.
{S} avoids people, and attacks are rare and mostly the act of an injured animal.
{institute_cap} pays for lost animals when the herder keeps the pen closed.
In old carvings {s} stands for rulers, rain and the night.
Tourists who come to see big cats now bring more money to {place} than cattle do.
Stories about {s} are told to children so that they stay near the house after dark.
## Protection
Trade in skins has been banned for decades, and still skins turn up in markets.
{institute_cap} counts the animals every second winter with some two hundred cameras.
A reserve for {s} also protects {o} and everything else in the same hills.
Corridors along rivers let animals move between reserves without crossing fields.
Reintroduced cats need years until they raise young of their own.
Protection works where villages have a share in it.
Numbers are given as a range, because even the best count misses the shyest animals.
%% headlines
{T} caught on camera in {place}
Rangers count more young: good year for {s}
Herders and biologists agree on plan for {s}
Road tunnel gives {s} a safer way
First picture in years: {s} is back in {place}
%% news
An automatic camera in {place} has taken pictures that biologists had been hoping for since last
  year.
{institute_cap} confirmed the find after comparing the spots with its archive.
The animal was alone and looked well fed, according to the report.
"There is enough prey, now we need quiet," said the head of the ranger station.
Local herders were informed on the same day and offered help with their night pens.
The exact place is kept secret to protect the cat from poachers and sightseers.
It is not yet clear whether a female with cubs lives in the same valley.
Sightings of {o} have also become more frequent in the region.
A count of the whole reserve is planned for {time}.
%% posts
Eleven nights on the trail of {s}
What {s} leaves behind
Big cat diary: {s} in {place}
How not to photograph {s}
%% blog
We found the first track at a stream crossing, so fresh that water was still running into it.
For eleven nights I sat in a hide in {place} and listened.
Our tracker lay down next to the print and smelled it, and then he grinned.
I have seen {s} in zoos, of course, but a cat behind glass is a picture of a cat.
On the last evening a shape crossed the path, stopped, looked at us and was gone.
Nobody spoke for a full minute.
My pictures show a blurred tail, and I love them.
The volunteers of {institute} change camera batteries in the heat so that we can look at such
  pictures at home.
Near the camp we also saw signs of {o}, which the guides found far more exciting.
If you want to go, go in {time} and bring warm clothes for the nights.
%% faq
Is {s} dangerous to people? :: Attacks are very rare. Do not run, keep children close and walk
  backward slowly.
What is the difference between {s} and {o}? :: Look at size, tail and the pattern of the coat; a
  picture of the flank settles it.
Where does {s} live? :: It is found, among other places, in {place}, and needs cover, water and
  prey.
Can a wild cat be kept as a pet? :: No. It is forbidden in most countries, and the animal always
  suffers.
How are big cats counted? :: With pairs of cameras that record both flanks, and with genetic
  samples from scat.
How can I help? :: Support {institute}, and do not buy anything made from skins or teeth.
%% threads
Saw {s} last night, I think
Identify this track: {s} or dog?
Zoo visit: {s}
Documentary about {s}
%% forum
No claw marks and three lobes at the back of the pad, that is a cat and no dog.
Please report it to {institute}, they collect sightings with date and place.
We keep goats and lost none since the dogs came.
The tail in the second picture is too short for that, I would say {o}.
A keeper told me that they cut the meat in different ways so that the cat has something to do.
Our guide in {place} had seen it four times in thirty years.
Pictures with a baited animal should not win prizes.
The roar in the film was added in the studio, that species only purrs.
Great shot, the light on the whiskers alone is worth the trip.
%% accented
In Brazil the jaguar is called onça-pintada, in Guaraní yaguareté.
The puma is el león de montaña to herders near Peñas Blancas and suçuarana farther east.
The project at Cañón del Águila pays herders for every calf lost.
"""
