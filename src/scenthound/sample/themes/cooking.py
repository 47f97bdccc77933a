"""Noise: cooking."""

TEXT = """
@place: our kitchen; the market hall; a small inn by the canal; the harvest supper;
  grandmother's table
@time: a rainy Sunday; the first cool evening; a cold Friday night; a warm June day
* Lentil soup | lentil soup
Lentil soup needs an onion, a carrot, a bay leaf and forty minutes of your patience.
A splash of vinegar at the end wakes up the whole pot.
* Apple pie | apple pie
Apple pie is best with two kinds of apple, one that keeps its shape and one that melts.
Rest the dough in the cold for an hour, or it will shrink in the tin.
* Rye bread | rye bread
Rye bread is heavy, dark and sour, and tastes better on the second day.
The starter wants to be fed once a week, like a quiet pet.
* Roast chicken | roast chicken
Roast chicken begins a day earlier with salt and an uncovered night in the refrigerator.
Let it stand for a quarter of an hour before you carve it.
* Mushroom risotto | mushroom risotto
Mushroom risotto is stirred slowly and served at once.
The stock has to be hot before the first ladle goes in.
* Chocolate cake | chocolate cake
Chocolate cake stays moist if it leaves the oven five minutes before you dare.
A spoon of strong coffee in the batter makes the chocolate taste darker.
* Tomato sauce | tomato sauce
Tomato sauce from tinned tomatoes can be better than from fresh ones, except in August.
Half an onion and a piece of butter are enough.
* Pancakes | the pancake batter
The pancake batter should rest until the bubbles are gone.
The first one never works, and the cook may eat it.
* Fish stew | fish stew
Fish stew is made with whatever the boat has brought in.
The broth takes an hour, and the fish only five minutes.
* Potato salad | potato salad
Potato salad divides families into those with mayonnaise and those with broth.
Dress it while the potatoes are warm.
* Pickled cucumber | the pickled cucumber
The pickled cucumber needs dill, mustard seed and two weeks in the dark.
Old jars are fine, old lids are not.
* Cheese dumplings | the cheese dumpling
The cheese dumpling floats to the top when it is done.
Make a test dumpling before you shape all of them.
* Plum jam | plum jam
Plum jam can be made in the oven overnight, without any stirring.
Put a plate in the freezer to test whether it sets.
* Vegetable curry | vegetable curry
Vegetable curry starts with spices in hot oil, which takes half a minute and all your attention.
It is better on the next day, when the flavours have met.
## Ingredients
Buy less, buy better and look at what is in season.
Salt early and taste often, since nothing can be taken out again.
Good butter makes up for many small mistakes.
For {s} the quality of the vegetables counts more than the recipe.
If something is missing, replace it by something you like.
Dried herbs go in at the start, and fresh ones at the end.
## Method
Read the recipe to the end before you begin.
Cut everything first, because the pan will not wait.
Keep the heat lower than you think, and the lid on.
{S} forgives a quarter of an hour, but not a whole one.
Stir with a wooden spoon, and scrape the bottom.
Taste, wait a minute and taste again.
Serve it on warm plates.
## To go with it
A green salad is enough, or nothing at all.
On {time} we like {o} afterwards.
Leftovers of {s} make a fine lunch on the next day.
Children eat it when they may stir it.
Freeze a portion for an evening when nobody wants to cook.
%% headlines
{T}: the dish of the week
Cooks compete for the best version of {s}
Readers vote for {s}
%% news
Our readers sent in more than two hundred recipes for {s}.
The jury tasted for an entire afternoon and was tired afterwards.
First prize goes to a version with lemon peel and very little else.
Prices for onions and butter have risen again, as every cook will have noticed.
The runner-up was {o}, which scored highest with children.
The winning recipe will be cooked at {place} on {weekday}.
%% posts
{T} for {time}
The story of {s}
{T}, the easy way
%% blog
On {time} there is nothing better than {s}.
I learned it at {place}, from somebody who never measured anything.
The kitchen smelled so good that the neighbours rang the bell.
My oven runs hot, so take my times with a grain of salt.
I have burnt it twice, and nobody noticed the second time.
Next week I will write about {o}.
Let me know in the comments how yours turned out.
%% accented
Serve it with crème fraîche, a purée of celeriac or a simple sauté of leeks.
The jalapeño can be left out; the piment from Espelière cannot.
"""
