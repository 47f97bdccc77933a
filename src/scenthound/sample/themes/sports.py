"""Noise: sports. Team names borrow animals and weather on purpose."""

TEXT = """
@place: Kettle Lane; the Riverside ground; the indoor hall at Ferry Road; the lakeside course;
  the old velodrome
@time: the first half; extra time; the closing minutes; the second leg; the opening week
* Harwick Jaguars | the Harwick Jaguars
The Harwick Jaguars play in black and yellow and have not won the cup for nineteen years.
Their crowd is small and loud and brings its own drum.
* Northgate Storm | the Northgate Storm team
The Northgate Storm team defends high and runs more than any other side in the league.
Its under-18 side has reached the final three times.
* Ellery Cobras | the Ellery Cobras
The Ellery Cobras moved to a new hall this year and have sold it out twice.
They train at six in the morning, when the ice is free.
* Corran Comets | the Corran Comets
The Corran Comets have the youngest squad and the oldest bus.
A last-minute goal kept them in the league last spring.
* Westbrook Rovers | the Westbrook Rovers
The Westbrook Rovers were founded by railway clerks and still play next to the tracks.
Matches stop for a moment when the express goes by.
* Lakeside marathon | the Lakeside marathon
The Lakeside marathon leads twice around the water and once through the brewery.
Most runners remember the last bridge.
* Coast regatta | the Coast regatta
The Coast regatta is sailed in small boats that anybody can borrow.
When there is no wind, there is cake.
* Indoor cup | the indoor cup
The indoor cup is played with a soft ball and very soft rules.
It decides nothing and is taken seriously by everybody.
* Hill race | the hill race
The hill race climbs four hundred metres in less than two kilometres.
The record has stood since the year of the great frost.
* Women's league | the women's league
The women's league has doubled its number of clubs in five years.
Finals are now shown live.
* Cycling tour | the cycling tour
The cycling tour crosses five passes and one ferry.
The slowest rider gets a lamp and a warm soup.
* Chess night | the chess night
The chess night counts as sport in this town, whatever others may say.
Forty boards stand in the gym until midnight.
## The season so far
The table is closer than it has been for years.
Three players are injured, and two have come back.
The coach wants more passing and fewer long balls.
For {s} it was a season of two very different halves.
Away games remain a problem, and nobody knows why.
The next opponent is {o}, which promises a full house.
Season tickets are sold out, apart from the corner behind the post.
## Background
Training is on Tuesdays and Thursdays, and visitors are welcome.
The ground at {place} got new floodlights last autumn.
Volunteers paint the lines, sell the sausages and drive the bus.
A new sponsor has promised shirts, although the colour is disputed.
The fiercest rival is {o}, for reasons that nobody remembers.
Young players pay no fee until they are sixteen.
%% headlines
Late winner at {place}
{T}: what went wrong
Draw leaves everything open for {s}
%% news
It was quiet at {place} until {time}, and then everything happened at once.
A free kick from thirty metres went in off the post.
The referee looked at the pictures for four minutes and stayed with his decision.
"We wanted it more," said the captain, as captains do.
The crowd sang long after the final whistle.
{S} will have to do better against {o} on {weekday}.
In the table nothing has changed, except for the goal difference.
%% posts
A supporter's view: {s}
Wet socks and {s}
Notebook from {place}: {s}
%% blog
I was there with my brother, two umbrellas and little hope.
In {time} half of the stand had already left for the tram.
Then came the corner, and the noise that only {place} can make.
I have followed {s} since I was small enough to sit on the fence.
The pie was cold, the tea was hot, and both cost more than last year.
On the way home we argued about the defence.
Next week it is {o}, and I will take the day off.
%% accented
The guests from Málaga and São Brás brought a band, and the referee came from Orléans.
"""
