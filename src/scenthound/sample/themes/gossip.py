"""Noise: gossip and shows. Here a star acts and sings."""

TEXT = """
@place: the Starlane festival; the red carpet on Harbour Street; the studio in Milltown; a hotel
  with a view; the closing gala
@time: the late show; the opening night; the second season; the summer break
* Starlane awards | the Starlane awards
The Starlane awards are given to singers, dancers and anybody else who looks good in a wide
  suit.
Each star has five minutes for a speech, and nobody keeps to it.
* Harbour Nights | the series Harbour Nights
The series Harbour Nights is about a family that owns a ferry and keeps too many secrets.
Its third season ended with a storm and a wedding in the same scene.
* Mercury Lounge | the Mercury Lounge
The Mercury Lounge is the club where every singer in town claims to have begun.
Its neon sign has been stolen twice, and returned twice.
* Diamond Saturday | the quiz show Diamond Saturday
The quiz show Diamond Saturday asks a hundred questions and gives away a boat.
Nobody has ever wanted to keep the boat.
* Amazon Queens | the musical Amazon Queens
The musical Amazon Queens puts warriors on roller skates and has been sold out since spring.
Critics hated it, and the crowd sings along.
* Python Brothers | the comedy troupe
The comedy troupe that calls itself the Python Brothers has six members, and none of them are
  brothers.
Its parrot sketch was filmed in a single take.
* Velvet Java | the band Velvet Java
The band Velvet Java plays slow songs with three guitars and a sewing machine.
The new album was recorded in a lighthouse.
* Summer ball | the summer ball
The summer ball is the one evening on which everybody pretends not to look at everybody.
Last year the fountain was filled with lemonade.
* Cooking duel | the television cooking duel
The television cooking duel lets two actors fight over one pan.
The fire brigade has been on the set since the second episode.
* Fashion week | fashion week
Fashion week has discovered the raincoat and will not let it go.
Hats are large this year, and so are opinions about them.
* Puma Red | the fragrance Puma Red
The fragrance Puma Red smells of leather, plums and advertising.
It comes in a bottle that cannot stand upright.
* Talent hour | the talent hour
The talent hour has a jury of four, and the loudest one decides.
The winner sang about a bicycle.
## What we hear
A friend of a friend was there and saw everything.
Nobody wanted to comment, which says a lot.
The dress was green, and the shoes were borrowed.
People close to {s} speak of a very long night.
There were tears, and there was cake.
The contract is said to run for another year.
A photograph from {place} raises more questions than it answers.
## Behind the scenes
Filming starts at four in the morning, so the sunglasses are no pose.
The crew of {s} shares a trailer with that of {o}.
Make-up takes three hours, and taking it off takes four minutes.
The script was changed on the last day.
Fans waited in the rain and got a wave.
A second season has been ordered, or so they say at {place}.
%% headlines
Tears and glitter: {s}
Everybody talks about {s}
{T}: is this the end?
%% news
It was the evening of the year, and {s} was in the middle of it.
Guests arrived late and left later.
The biggest star of the night came by tram.
A spokesman said that there was nothing to say.
Rumours about {o} were neither confirmed nor denied.
Pictures from {place} will be shown on {weekday}.
The party went on until the bakers opened.
%% posts
My honest opinion about {s}
{T} and I
Watching {s} so that you do not have to
%% blog
I promised myself not to write about {s} again, and here we are.
The opening was too long, the dress too short and the song just right.
In {time} I fell asleep and missed the kiss.
My sister says that I am too strict.
I give it three stars out of five, and one of them is for the dog.
Compared with {o} it is a masterpiece.
Tell me what you think, but be kind.
%% accented
The soirée at the Hôtel d'Étoile ended with rosé and a naïve little song.
"""
