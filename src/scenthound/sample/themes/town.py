"""Noise: local news and notices."""

TEXT = """
@place: the market square; the north bridge; the new school; Ferry Road; the library; the bus
  station
@time: the autumn holidays; the next council meeting; the weekend; the evening rush
* Bridge repair | the repair of the north bridge
The repair of the north bridge will take until spring, and cars have to use the ring road.
Pedestrians can cross on a wooden walkway.
* Library hours | the new library hours
The new library hours give readers one more evening a week.
Books can be returned at any time through the slot beside the door.
* School canteen | the school canteen
The school canteen will cook fresh food again instead of warming up what a lorry brings.
Parents had collected nine hundred signatures.
* Water prices | the new water price
The new water price is two cents higher per hundred litres.
A leaking tap costs a household more than that.
* Market day | market day
Market day moves from Friday to Saturday for the time of the building works.
Flower sellers will stand in front of the church.
* Bus timetable | the new bus timetable
The new bus timetable has a night bus for the first time.
Line four no longer stops at the hospital gate but inside.
* Council budget | the council budget
The council budget was passed after nine hours of debate and two breaks.
Most of the money goes to schools and pipes.
* Recycling yard | the recycling yard
The recycling yard accepts garden waste free of charge.
Mercury thermometers and old paint go to the special counter.
* Job fair | the job fair
The job fair brings forty employers under one roof.
Applicants can have their photograph taken on the spot.
* Heritage day | heritage day
Heritage day opens doors that are locked for the rest of the year.
The tour through the old sewer is booked out already.
* Road toll | the road toll
The road toll for lorries starts at the city limits.
Buses and fire engines are free.
* Winter service | the winter service
The winter service has filled its halls with salt and sand.
House owners must clear the pavement before seven.
* Housing plan | the housing plan
The housing plan foresees three hundred flats on the old goods yard.
A third of them will have controlled rents.
* Park benches | the new park benches
The new park benches were chosen by children and are therefore yellow.
Each has a number, so that people can say where they are.
* Business awards | the business awards
The business awards went to a bakery, a bicycle shop and a maker of hinges.
The prize is a glass star and a year of free advice.
## What is planned
The work starts in {time} and is to be finished within a year.
The town pays two thirds, and the region pays the rest.
Neighbours were invited to comment, and many did.
The office at {place} gives information and takes complaints.
{S} had been discussed for longer than anybody likes to admit.
Detailed maps hang in the town hall.
## Reactions
Shop owners fear for their Christmas trade.
The cycling association would have liked more room.
"It is a start," said a resident of {place}.
The opposition wanted to spend the money on {o}.
Letters to the editor were mostly polite.
A petition against {s} got forty signatures.
%% headlines
{T}: council decides
Residents discuss {s}
Delay for {s}
%% news
The council has dealt with {s} at its last meeting.
The vote was eleven to nine, with one member asleep.
Costs have risen since the first estimate, mainly because of steel.
Work at {place} will begin after {time}.
The mayor's office promised to inform the public in good time.
{S} and {o} will now be planned together.
A hearing takes place on {weekday} in the small hall.
%% posts
A walk past {s}
Letter from {place}
In defence of {s}
%% blog
I went to the meeting about {s} so that you could stay at home.
There were biscuits, and there were slides with very small numbers.
Somebody asked about {o}, as somebody always does.
At {place} I counted eleven signs and one person who read them.
I am for it, on the whole, and I will tell you why.
By {time} we will have forgotten that it was ever different.
%% accented
The twin town of Évry-le-Vieux sends its choir, and the café on the square stays open late.
"""
