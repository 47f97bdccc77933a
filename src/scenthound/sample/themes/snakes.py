"""Snakes and other reptiles: here the python is a snake, and so are the cobra and the viper."""

TEXT = """
@keywords: snakes; python; reptiles; viper; boa
@place: the sandstone hills of Marrow Creek; the delta of the Sombra; the dry forests of Tamber;
  the uplands of Corran; the Ellery marshes
@time: the warm hours of the morning; the rainy season; the weeks after hibernation; the first
  hour of the night; late spring
@institute: the Fernwick reptile house; the Tamber serpent project; the venom laboratory at Port
  Ellery; the Society for Heath Reptiles
* Python | the python | Python_(snake)
The python is a heavy snake that kills by coiling around its prey and needs no venom.
Heat pits along its lips show it a warm animal in complete darkness.
The female coils around her eggs and shivers to keep them warm.
* Reticulated python | the reticulated python
The reticulated python is the longest snake in the world and swims well enough to reach islands.
Its pattern of nets and diamonds makes it vanish among dead leaves.
On Java and the neighbouring islands it lives in drains and rice stores and keeps the rats down.
* Ball python | the ball python
The ball python rolls itself into a tight ball with its head in the middle when it is
  frightened.
It is the snake most often kept at home, and may live for thirty years.
Many a healthy one refuses to eat for months in winter.
* Boa constrictor | the boa constrictor
The boa constrictor bears living young, up to fifty at a time.
It feels the heartbeat of its prey and loosens its grip when it stops.
In many places it is welcome in barns, where it lives on rats.
* Emerald tree boa | the emerald tree boa
The emerald tree boa rests in loops on a branch with its head in the centre.
The young are brick red and turn green within a year.
Its long front teeth reach through the feathers of a bird.
* Anaconda | the anaconda
The anaconda is the heaviest snake alive and spends most of its life in water.
Its eyes and nostrils sit on top of the head, so that the rest can stay below the surface.
After a capybara it does not eat again for weeks.
* King cobra | the king cobra
The king cobra is the longest venomous snake and lives mainly on other snakes.
It is the only snake that builds a nest of leaves and guards it.
Its growl is so deep that it is felt as much as heard.
* Spitting cobra | the spitting cobra
The spitting cobra can send its venom into the eyes of an attacker two metres away.
It turns its head while spitting, so the drops spread in the air.
The cobra keeps enough venom for several shots and a bite.
* Adder | the adder
The adder is a small viper of heaths and moors and lives farther north than any other snake.
The males wrestle in spring, upright and swaying.
It gives birth to living young, since eggs would not hatch in cold soil.
* Gaboon viper | the Gaboon viper
The Gaboon viper has the longest fangs of any snake and a pattern like an oriental carpet.
It lies still for days and is stepped on more often than seen.
In spite of its size it is slow to bite.
* Rattlesnake | the rattlesnake
The rattlesnake warns with a chain of horny rings at the end of its tail.
A ring is added each time it sheds its skin, and old ones break off.
Where people hunt by sound, silent animals have the better chance to survive.
* Bushmaster | the bushmaster
The bushmaster is the longest viper of the Americas and lives in deep rainforest.
It waits beside one trail for weeks until something passes.
Few bites are known, because it is hardly ever met.
* Mamba | the black mamba
The black mamba is named for the dark inside of its mouth, while its skin is grey.
It is quick, long and careful, and returns to the same hole every evening.
Its venom acts on the nerves and leaves little time.
* Coral snake | the coral snake
The coral snake wears red, yellow and black rings as a warning.
Several harmless snakes wear nearly the same dress.
It hides under leaves and eats small snakes and lizards.
* Sea snake | the sea snake
The sea snake has a tail like an oar and can stay under water for an hour.
It drinks the thin layer of rain that floats on the sea.
Fishermen find it in their nets and throw it back by hand.
* Grass snake | the grass snake
The grass snake hunts frogs in ponds and is harmless to people.
When it cannot escape it plays dead, with open mouth and a terrible smell.
It lays its eggs in compost heaps, where rotting leaves keep them warm.
* Gecko | the gecko
The gecko runs up a window pane on millions of tiny hairs.
It licks its eyes clean because it has no lids.
A lost tail grows again, though never as fine as the first.
* Chameleon | the chameleon
The chameleon changes its colour more by mood than by background.
Its tongue is longer than its body and hits within a tenth of a second.
Each eye looks in its own direction until prey is found.
* Monitor lizard | the monitor lizard
The monitor lizard is a strong, clever hunter that tastes the air with a forked tongue.
The largest kind takes deer and lives on a few islands.
Monitors in zoos learn to come when they are called by a number.
* Iguana | the iguana
The iguana eats leaves and basks on branches above water.
If danger comes near it drops into the river from ten metres up.
Its third eye, on the top of the head, sees only light and shadow.
* Caiman | the caiman
The caiman is a relative of the alligator that lives in rivers and swamps of the tropics.
The mother carries the young to the water in her mouth.
At night its eyes shine red in the beam of a torch.
* Tortoise | the tortoise
The tortoise carries a shell that is grown together with its ribs.
It can live longer than the person who looks after it.
Warm sand gives more females, and cool sand more males.
* Skink | the blue-tongued skink
The blue-tongued skink shows a bright blue tongue to frighten birds.
It bears a few large young that are on their own from the first hour.
Snails are its favourite food, and gardeners are glad of it.
*~ Snake venom | snake venom
Snake venom is saliva turned into a weapon, a mixture of many proteins.
Some attack the nerves, some the blood, and most do a little of both.
Several medicines for blood pressure began as parts of a viper's venom.
*~ Moulting | moulting
Moulting is the way a snake gets rid of its skin, in one piece like a stocking.
A week before, the eyes turn milky blue and the animal is nearly blind.
A torn skin is a sign that the air has been too dry.
* Tree python | the green tree python
The green tree python looks so much like the emerald tree boa that only a look at the head tells
  them apart.
Python and boa live an ocean apart and came to the same shape on their own.
The yellow young lure lizards with the tip of the tail.
## Body and senses
Reptiles take their warmth from outside and need only a tenth of the food of a mammal of the
  same weight.
A forked tongue picks up scent on both sides and so tells left from right.
Snakes have no outer ear, but they feel footsteps through the jaw.
The skin is dry and smooth, never slimy, and it is shed several times a year.
The skeleton of {s} is worth comparing with that of {o}.
Scales under the belly grip the ground, and muscles move them in waves.
The jaw is held by elastic bands, which allow surprisingly large meals.
## Behaviour and food
Most reptiles wait for their prey and do not chase it.
In {place} it is seen mainly in {time}.
{S} returns to the same basking places year after year.
When it is too hot or too cold, {s} retires into holes and crevices.
A full meal can last for weeks, and digestion needs warmth.
Birds and wild pigs are the worst enemies of the young.
{S} and {o} avoid each other, and where both occur they are active at different hours.
Males follow a scent trail in spring that can be a kilometre long.
## Encounters and bites
Most bites happen when somebody tries to kill or to catch a snake.
High shoes, a torch and a look at the path are the best protection.
After a bite the patient should keep still, and the limb should not be cut or tied off.
{institute_cap} keeps antivenom for the species of the region and advises hospitals by
  telephone.
{S} would rather escape than defend itself.
People in {place} step aside and let the animal pass.
Stories about {s} are usually longer than the animal.
## Keeping it in a terrarium
The terrarium needs a warm end and a cool end, so that the animal can choose.
A hiding place matters more than decoration.
Whoever keeps {s} should know a vet who treats reptiles before one is needed.
Snakes are fed with thawed mice on long tongs, and never by hand.
Humidity that is right for {s} may be quite wrong for {o}.
Many species may be kept only with a permit, and buying wild-caught animals does great harm.
Write down every meal, every moult and every weight.
A lamp without a cage around it is the most common cause of burns.
## Protection
Roads are deadly, because warm asphalt attracts reptiles in the evening.
{institute_cap} builds stone piles and tunnels, and counts the animals every spring.
Leather from {s} is still traded, partly with permits and partly without.
Old walls, hedges and south-facing banks are the best help a garden can give.
Where {s} disappears, rats and mice increase within two or three years.
In {place} volunteers guard the laying sites at night.
A programme for {s} now includes {o} as well, since both need the same open ground.
%% headlines
{T} found in garden shed in {place}
Young hatch at {institute}: hope for {s}
Escaped pet: police look for {s}
Biologists map the last homes of {s}
Hospital praises quick help after meeting with {s}
%% news
A resident of {place} called the police on {weekday} after a surprising find behind the washing
  machine.
Specialists from {institute} caught the reptile with a hook and a pillow case.
It was identified as {s} and is in good health.
How it got there is unclear; nobody nearby has reported a missing pet.
"It was more afraid than we were, and we were quite afraid," said a police officer.
The snake season has started early this year because of the warm spring.
Experts ask walkers to stay on the paths and to keep dogs on a lead.
The reptile house already looks after {o}, which was found in a similar way.
Eggs from last season have hatched, and the young can be seen from next week.
%% posts
Living with {s}
Looking for {s} in {place}
My first year with {s}
In praise of {s}
%% blog
People either come closer or leave the room when I mention {s}.
Mine is called Noodle, eats every second week and has never tried to bite.
I spent last summer in {place}, turning stones and putting them back exactly as they were.
You learn to look for a pattern that is a little too regular.
Toward evening we found a shed skin, still soft, a metre and a half long.
The keeper at {institute} let me hold the tail end and kept the other end himself.
I used to be afraid of snakes, and reading about {o} cured me.
A thermostat is no luxury, I learned that the hard way.
The vet weighed, listened, looked into the mouth and said what vets say: wait.
%% faq
Is {s} venomous? :: Please check a regional guide; when in doubt treat every snake as venomous
  and keep your distance.
What does {s} eat? :: That depends on age and size; most reptiles of this group take live prey
  in the wild and frozen food in captivity.
What should I do if I meet one? :: Stand still, step back slowly and let it go its way.
Can {s} and {o} share a terrarium? :: No. Keep different species apart.
How often does it shed its skin? :: Young animals every few weeks, adults three or four times a
  year.
Do you take in animals that were found? :: {institute_cap} does, around the clock; do not try to
  carry them there yourself.
%% threads
Feeding trouble with {s}
Found in the garden: is this {s}?
Terrarium for {s}: size and heating
Trip report: {s} in {place}
%% forum
Three weeks without food is nothing, check the temperature at the warm end and leave it alone.
Round pupil and keeled scales, that is harmless, please put it back.
The cork bark is good but you need a second hide on the cool side.
Mine refused too until I switched to smaller mice and fed in the dark.
Never buy at a fair without papers, you do not know what you bring home.
I keep {o} and the humidity you mention would be far too low for it.
Nice find, we searched {place} for two days and saw one lizard.
Stuck shed on the eye needs a vet, do not pull at it.
Weigh it every week and post the numbers, then we can say more.
%% accented
In Portuguese the rattlesnake is cascavel and the boa is jibóia.
The vipère aspic lives on stony slopes near Vallée Blanche, the culebra de cogulla near Cañada
  Seca.
The reptile house in Göhlen shows a Kreuzotter, and its label explains the word.
"""
