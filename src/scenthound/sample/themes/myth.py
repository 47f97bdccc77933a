"""Noise that shares its names with topics: gods, heroes and monsters."""

TEXT = """
@place: the old temple at Lerra; the southern islands; the Norwell museum; the gate house of
  Tamber
@time: the age of heroes; the first winter of the world; the night of the festival; the years of
  the great war
* Amazons | the nation of the Amazons
The Amazons of myth were a nation of women who rode, shot with the bow and needed no king.
Every great hero was sent to fight an Amazon sooner or later, and not all came home.
* Mercury the messenger | the god Mercury
Mercury was the messenger of the gods and looked after traders, travellers and thieves.
He is shown with wings on hat and heels, and with a staff around which two snakes wind.
* Saturn the sower | the god Saturn
Saturn was an old god of sowing, whose feast turned the whole city upside down for a week.
Masters served their slaves at table, and courts and schools were closed.
* Python of the spring | the serpent Python
The serpent Python guarded a spring and an oracle until an archer god killed it.
The priestess at the place kept its name in her title.
* Jaguar god | the jaguar god
The jaguar god rules the night sun on its way below the earth.
Kings wore his skin and sat on thrones carved in his shape.
* Storm hammer | the storm hammer
The storm hammer returns to the hand of the god who throws it.
Thunder, people said, is the noise of his wagon.
* Venus rising | the goddess Venus
Venus came out of the foam of the sea and was brought ashore by the wind.
Painters have never tired of the shell.
* Golden beetle | the golden beetle
The golden beetle rolls the sun across the sky, as an ordinary one rolls its ball.
It was carved in stone and laid on the heart of the dead.
* Hydra | the hydra
The hydra grew two heads for each that was cut off.
Fire was the answer in the end.
* Phoenix | the phoenix
The phoenix burns once in five hundred years and rises from its ashes.
It lives on dew and the smoke of incense.
* Rainbow serpent | the rainbow serpent
The rainbow serpent made the rivers by crawling through dry land.
It sleeps in deep pools and must not be woken.
* Thunderbird | the thunderbird
The thunderbird makes storms by beating its wings.
Lightning flashes from its eyes when it looks for whales.
* Labyrinth | the labyrinth
The labyrinth was built to hide a shame and to feed a monster.
A ball of thread was enough to defeat it.
* Star maiden | the star maiden
The star maiden came down to bathe and could not go home, because her feathers were stolen.
She found them after seven years in the rafters.
## The story
Like all old stories it is told in more than one way.
In {time} gods still walked on earth and quarrelled in the open.
The hero is warned three times and does not listen.
There is a price to pay, and somebody else usually pays it.
The tale of {s} is often told together with that of {o}.
At the end a star, a spring or a flower remains as a sign.
## Sources and pictures
The oldest picture is found in {place}.
Poets added what priests had left out.
Scribes copied {s} from one book into the next, with all the mistakes.
Some scholars see the memory of a real event in it, and others see none.
Children's books leave out the worst parts, as they do with {o}.
The name lives on in planets, snakes, cars and washing powder.
%% headlines
Museum shows {s}
New reading of {s} surprises scholars
Vase fragment may show {s}
%% news
The Norwell museum opens an exhibition about {s} on {weekday}.
Among the pieces is a jar that had been in a cellar for eighty years.
"We had labelled it as a scene with {o}," said the curator.
School classes can draw their own monsters in the last room.
The catalogue has two hundred pages and one golden edge.
Admission is free in the evening.
%% posts
Telling {s} to children
What {s} means to me
{T} on a rainy day
%% blog
My grandmother told {s} without a happy end, and we loved it.
I went to {place} to see where it is said to have happened, and found a car park.
In every version somebody forgets to change a sail.
The best monsters are those that are never fully described.
I prefer it to {o}, which has too many brothers in it.
Next time I will tell it with voices.
%% accented
The epic speaks of the Théogonie of the islands and of a giant called Óláinn.
"""
