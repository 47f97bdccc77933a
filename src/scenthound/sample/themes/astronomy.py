"""Astronomy: here Mercury and Saturn are planets, and a star is a star."""

TEXT = """
@keywords: astronomy; planet; mercury; saturn; star; telescope
@place: the Greyfell observatory; the dark-sky park at Corran; the southern station at Cerro
  Alba; the plateau of Tarn; the island telescope
@time: a clear winter night; the hour before sunrise; a moonless week; the August nights; the
  last hour of twilight
@institute: the Greyfell observatory; the Corran star society; the Institute for Planetary
  Science at Norwell; the Tarn survey team
* Mercury | Mercury | Mercury_(planet)
Mercury is the smallest planet and the one nearest to the sun.
Its day side is hot enough to melt lead, and its night side is colder than any place on Earth.
From the ground Mercury is seen only in twilight, low above the horizon.
* Saturn | Saturn | Saturn_(planet)
Saturn is the planet with the bright rings, which are made of ice in pieces from dust to the
  size of a house.
The rings are wider than the distance from Earth to the moon and in places only ten metres
  thick.
Saturn as a whole is lighter than water.
* Venus | Venus
Venus is wrapped in clouds of acid and has the hottest surface of all the planets.
It turns backward, and so slowly that its day is longer than its year.
As evening star it is bright enough to cast a shadow.
* Mars | Mars
Mars is a cold desert with the highest volcano and the longest canyon known.
Dry river beds show that water once ran there for a long time.
Its dust storms can hide the whole planet for weeks.
* Jupiter | Jupiter
Jupiter weighs more than twice as much as all the other planets together.
Its red spot is a storm wider than Earth that has lasted for centuries.
Four of its moons can be seen with good binoculars.
* Uranus | Uranus
Uranus lies on its side, so that each pole has forty years of light and forty of darkness.
It has thin, dark rings that were found by chance when the planet passed in front of a star.
Only one spacecraft has ever flown past it.
* Neptune | Neptune
Neptune was found with a pencil before it was found with a telescope.
Its winds are the fastest in the solar system.
One year there lasts as long as 165 of ours.
*~ Moon | the moon
The moon always turns the same side to us, because its turn and its orbit take the same time.
Craters near its south pole hold ice that sunlight never reaches.
It moves away by about four centimetres a year.
* Titan | Titan
Titan is the largest moon of Saturn and has a thick orange atmosphere.
It rains methane there, and there are lakes and rivers of it.
A probe that landed on it found rounded pebbles of ice.
*~ Asteroid belt | the asteroid belt
The asteroid belt is a wide ring of rocks between Mars and Jupiter.
All of it together weighs less than our moon.
Contrary to what films show, a spacecraft can cross it without seeing a single rock.
* Comet | the comet
The comet is a lump of ice and dust that grows a tail when it comes near the sun.
The tail always points away from the sun, even on the way out.
Some return after a few years and others after a million.
*~ Meteor shower | the meteor shower
The meteor shower happens when Earth crosses the dust left behind by a comet.
The grains are no bigger than sand, and burn a hundred kilometres up.
All of the trails seem to come from one point, as rails do.
*~ Solar eclipse | the solar eclipse
The solar eclipse is possible because the moon looks just as large as the sun.
For a few minutes the corona shows, and birds fall silent.
The shadow crosses the ground faster than a jet.
*~ Lunar eclipse | the lunar eclipse
The lunar eclipse turns the moon copper red, since light of all sunsets falls on it at once.
Everybody on the night side of Earth can see it.
The round edge of the shadow convinced ancient observers that Earth is a ball.
* Red giant | the red giant
The red giant is an old star that has swollen to hundreds of times its former size.
In its core helium turns to carbon, and later all of its outer layers drift away.
Our sun will become one in five billion years.
* White dwarf | the white dwarf
The white dwarf is what is left of a star like the sun, as heavy as before and as small as
  Earth.
A spoonful of it would weigh as much as a lorry.
It makes no more energy and simply cools, longer than the universe has existed.
* Double star | the double star
The double star consists of two suns that circle each other.
More than half of the stars in the sky have such a companion.
From the orbit one can work out how heavy both are.
* Variable star | the variable star
The variable star changes its brightness, some in hours and some over years.
One kind pulses with a rhythm that reveals how far away it is.
Amateurs have supplied most of the measurements for a century.
* Supernova | the supernova
The supernova is the explosion of a star and can outshine a whole galaxy for weeks.
The iron in our blood was made in such stars.
The last one seen in our own galaxy without a telescope was four centuries ago.
* Star cluster | the star cluster
The star cluster is a family of stars born from the same cloud.
Open ones drift apart after some turns of the galaxy, while round ones are as old as the galaxy.
It is the best place to study ageing, since all members began together.
* Nebula | the nebula
The nebula is a cloud of gas and dust between the stars.
Some glow because young stars light them from inside, and some are dark.
The colours in photographs are real, but too faint for the eye.
*~ Milky Way | the Milky Way
The Milky Way is our own galaxy seen from inside, a band of light across a dark sky.
It holds some two hundred billion stars.
From most cities it can no longer be seen at all.
* Andromeda galaxy | the Andromeda galaxy
The Andromeda galaxy is the most distant thing that most people can see without help.
Its light has been on the way for two and a half million years.
It is coming nearer and will meet our galaxy in the far future.
*~ Radio telescope | the radio telescope
The radio telescope collects waves from space with a dish or a field of antennas.
It works by day and through cloud.
Linked dishes on several continents act as one instrument the size of Earth.
*~ Reflecting telescope | the reflecting telescope
The reflecting telescope gathers light with a curved mirror.
The surface must be true to a small part of the thickness of a soap film.
Many amateurs have ground their first mirror by hand in a kitchen.
*~ Exoplanet | the exoplanet
The exoplanet is a planet that circles another star.
Most are found because the star dims a little each time the planet passes in front.
Some of the thousands known have a year shorter than our week.
## Observing it
Choose {time} and give your eyes twenty minutes to get used to the dark.
Air that is steady matters more than air that is clear, and twinkling stars are a bad sign.
Binoculars on a tripod show more than a cheap telescope on a shaky one.
With {s}, patience is rewarded, because fine detail shows only in moments.
A red lamp, a warm hat and a star chart are all that is needed for the first night.
Those who have found {s} may go on to {o}, which is well placed in the same season.
Street lamps are the greatest enemy, so it pays to drive an hour to {place}.
A drawing made at the eyepiece teaches one to look better than a photograph.
## What it tells us
Nearly everything we know about space arrives as light, and the art is to take it apart.
Dark lines in a spectrum tell what a thing is made of, how hot it is and how it moves.
{S} is a test for ideas about how the solar system and the stars came to be.
Distances are measured step by step, and an error in the first step is carried on to the last.
A comparison of {s} with {o} has settled several old questions and opened new ones.
Theories are cheap until somebody measures the right number to one part in a thousand.
Astronomers at {institute} are working through thirty years of old plates.
## History of its study
Observers in Babylon and China kept records that are still used today.
The first telescopes showed less than a modern toy and changed the world nevertheless.
Descriptions of {s} are found in almanacs of the seventeenth century.
Old charts show {s} and {o} side by side, each with a small and careful drawing.
Photography brought out what no eye had seen, because a plate collects light for hours.
Calculators, often women and badly paid, worked out orbits by hand from long columns of figures.
Space probes turned points of light into landscapes within a single generation.
## Instruments and missions
A mirror twice as wide gathers four times as much light.
Large telescopes bend their mirrors many times a second to undo the trembling of the air.
A mission to study {s} takes ten years to plan and sometimes ten more to arrive.
The camera at {place} records the whole sky every three nights.
Signals come back so weak that a snowflake hitting the ground has more energy.
Data on {s} are free for everybody after one year.
Instruments that were built for {o} have turned out to be useful for {s} as well.
## Open questions
Nobody knows for certain how common places like our own solar system are.
Models of {s} fit most of the data and fail in one or two stubborn places.
A survey that begins next year should find ten times as many objects as are known now.
Computer models take months to run and still leave out the smallest grains.
How {s} came to be is still debated, and so is the origin of {o}.
The most exciting discoveries were made while looking for something else.
Better clocks and larger mirrors will help, but so will simple patience.
%% headlines
New pictures of {s} surprise astronomers
{T}: best view for years
Team at {institute} measures {s} anew
Amateur observer makes discovery near {s}
Open evening at {institute} is devoted to {s}
%% news
Astronomers have presented new measurements that change the picture of {s}.
The data were taken at {place} over eleven nights and agree with those of a space telescope.
"We checked for three months whether it was a fault of the camera," said a member of the team.
The result does not contradict what is known about {o}, but it makes some models unlikely.
{institute_cap} invites the public to look through its telescopes on {weekday}.
With clear sky the sight can be enjoyed without any instrument.
The best time is {time}, looking toward the south-east.
Other groups have already asked for observing time to check the finding.
The study will appear in a journal next month, and the raw data are online.
%% posts
A night with {s}
My first look at {s}
Frozen fingers, clear sky: {s} from {place}
Sketching {s} at the eyepiece
%% blog
I set up the telescope behind the house, and within minutes the neighbour's cat had joined me.
It took me three evenings to see {s} well, and now I dream of it.
Through the eyepiece it is small, silent and much more real than any picture.
My daughter asked how long the light had been travelling, and we worked it out together.
At {place} there are no lamps for thirty kilometres, and the sky has depth.
Dew ended the session at half past two, as it usually does.
The sketch below is in pencil, with the eraser used for the bright parts.
I swept over to {o} on the way, just because it was there.
You do not need a large telescope; mine cost less than a bicycle.
Next clear night I will try again with the new filter.
%% faq
Can I see {s} without a telescope? :: Some objects yes, some only with binoculars; the chart of
  {institute} says what is visible this month.
When is the best time to look? :: Choose {time} and avoid the days around full moon.
How far away is {s}? :: The yearbook of {institute} gives the figure; it is so large that even
  light needs a while to get here.
Which telescope should I buy first? :: A simple reflector with a steady mount, or a pair of
  binoculars.
What is the difference between {s} and {o}? :: They differ in size, distance and history, and
  the monthly chart shows where to find each of them.
Is it safe to look at the sun? :: Never without a proper filter in front of the instrument.
%% threads
First light with {s}
Which eyepiece for {s}?
Can I see {s} from the city?
Photo: {s} from {place}
%% forum
Collimate first, half of the soft pictures here are from mirrors out of line.
You want more light and not more magnification, try the long eyepiece.
It was cloudy here for nineteen nights, please send stars.
Take a hundred short exposures and throw away ninety.
I caught {o} in the same field, look at the lower left corner.
From my balcony I can see four stars and a street lamp, so do not complain.
The app was off by two degrees for me, trust the paper chart.
Saw it at {place} last week, jaws dropped, coffee went cold.
Let the tube cool down for an hour before you judge the view.
%% accented
The comet was first reported from Observatório da Lapa, and an hour later from Besançon.
Étoile, estrella, Stern and stjärna all mean the same point of light.
The plates from Cerro Peñón carry notes in Spanish: "niebla", "luna", "señal débil".
"""
