"""Programming: here Java and Python are languages."""

TEXT = """
@keywords: programming; java; python; software development; compiler
@place: a small bank; the payroll office; the Northgate hospital; a shipping company; the city
  archive; a map publisher
@time: a long weekend; three weeks; one winter; a single night; two sprints
@group: the Open Compiler Foundation; the Harbour developers' group; the language committee; the
  Northgate software school
* Java | Java | Java_(programming_language)
Java is a programming language whose code is compiled for a virtual machine instead of for one
  processor.
Its promise was that the same program should run on every computer that has the machine
  installed.
Java insists on classes and declared types, which makes small programs long and large ones
  easier to survey.
* Python | Python | Python_(programming_language)
Python is a programming language that uses indentation to show where a block begins and ends.
It is often the first language of students and the daily tool of people who analyse data.
Python programs are short to write, and the slow parts are usually handed to libraries written
  in C.
* Virtual machine | the virtual machine
The virtual machine runs the byte code of a program and hides the real computer underneath.
It watches which methods are used most and translates those into machine code while the program
  runs.
A longer start is the price that is paid for it.
* Garbage collection | garbage collection
Garbage collection finds the objects that a program can no longer reach and gives their memory
  back.
Most objects die young, so collectors look at the new ones first.
A pause of a tenth of a second is nothing for a report and far too much for a game.
* Compiler | the compiler
The compiler translates a program from the language people write into one that a machine can
  run.
It reads the text, checks that the types fit and then spends most of its time improving the
  result.
A good error message saves more hours than a fast optimiser.
* Interpreter | the interpreter
The interpreter carries out a program step by step without translating all of it first.
It makes trying things out easy, since a line can be typed and its result seen at once.
Python is usually run this way, although a hidden compile step comes first.
* Unit test | the unit test
The unit test calls one small piece of a program and compares the answer with the expected one.
It should run in milliseconds and fail for one reason only.
Tests written before the code tend to describe what is wanted instead of what was built.
* Debugger | the debugger
The debugger stops a running program at a chosen line and shows the value of every variable.
It is the best way to read code that somebody else wrote.
Bugs that depend on timing have the habit of vanishing while one watches.
* Recursion | recursion
Recursion is the method of solving a problem by solving smaller copies of it.
Every recursive function needs a case that it can answer without calling itself.
Trees and nested folders are its natural home.
* Object orientation | object orientation
Object orientation keeps data together with the code that is allowed to change it.
Inheritance was once its proudest feature and is now used with care.
In Java nearly everything belongs to a class, in Python only what the programmer wishes.
* Functional programming | functional programming
Functional programming builds programs from functions that do not change anything outside
  themselves.
The same arguments always give the same answer, which makes testing pleasant.
Ideas from it have found their way into nearly every mainstream language.
* Type system | the type system
The type system decides which operations make sense for which values.
A strict one finds many mistakes before the program is ever run.
A relaxed one allows quick experiments and moves the mistakes to a later day.
* Java bean | the Java bean
The Java bean is a plain class with a constructor without arguments and a getter and setter for
  each property.
The name plays on coffee, as do many names around Java.
Tools can look inside a bean and build forms or database tables from it.
* Package manager | the package manager
The package manager fetches libraries together with everything they need in turn.
A lock file records the exact versions, so that the build of today can be repeated next year.
One missing library of eleven lines has already stopped builds all over the world.
* Version control | version control
Version control keeps every state of the source code and who changed what.
Branches make it cheap to try an idea and cheaper still to throw it away.
The message of a commit should say why, because the change itself shows what.
* Code review | code review
Code review means that a colleague reads every change before it is merged.
It spreads knowledge through the team at least as well as it finds bugs.
Reviews of more than four hundred lines are read with tired eyes.
* Thread | the thread
The thread is one path of execution through a program, and a process may have many of them.
Two threads that change the same value without a lock will sooner or later lose an update.
Deadlock is what happens when each waits for the other.
* Hash table | the hash table
The hash table finds a value by computing from its key where it must be stored.
A lookup takes the same time whether it holds ten entries or ten million.
Everything depends on a hash function that spreads the keys evenly.
* Sorting algorithm | the sorting algorithm
The sorting algorithm puts values in order, and few problems have been studied so thoroughly.
No method that only compares values can beat a certain number of steps.
The sort built into Python and Java looks for runs that are in order already and merges them.
* Regular expression | the regular expression
The regular expression describes a set of texts in a short and cryptic notation.
It is excellent for finding dates in a log and hopeless for reading nested markup.
A careless one can keep a server busy for minutes with thirty characters of input.
* Web framework | the web framework
The web framework takes care of addresses, forms and sessions so that a team can begin with the
  real work.
It saves weeks at the start and asks some of them back at every upgrade.
Small frameworks leave more choices open, and large ones make more of them for you.
* Database index | the database index
The database index is a sorted copy of a few columns that spares the engine from reading every
  row.
It makes reading faster and writing slower.
The order of its columns matters as much as in a telephone book.
* Refactoring | refactoring
Refactoring changes the shape of code without changing what it does.
It should be done in small steps, with the tests run after each of them.
Renaming a thing well is the smallest refactoring and often the most useful.
* Exception | the exception
The exception is a signal that a function could not keep its promise.
It travels up through the callers until somebody knows what to do.
An empty handler that swallows it is the beginning of a long night.
* Application server | the application server
The application server runs the programs of a company and hands them connections, threads and
  transactions.
In the Java world it was once a large product with a thick manual.
Today a server is more often a library that the program starts by itself.
* Code editor | the code editor
The code editor colours the source text, completes names and jumps to definitions.
Programmers change their language more readily than their editor.
Most modern ones talk to the compiler through a small protocol.
## In practice
Most of the work in a software project is reading, and most of the reading is one's own code
  from last year.
Teams that adopt {s} usually look at {o} within the same year.
A program that works on one machine proves very little until a second machine has built it.
The hard part is rarely the syntax and nearly always the shape of the data.
In {place} the first version was written in {time} and has been in use ever since.
What looks like a slow language is often a slow query.
Small examples make {s} look easy, and the surprises come with the second million lines.
Logs are written for the person who will be woken at three in the morning.
## History
Early machines were programmed with switches and paper tape, and every mistake cost an
  afternoon.
The ideas behind {s} are older than most of the people who use them.
Languages live long: payroll systems written before the moon landing are still maintained.
{S} became popular when computers grew fast enough to be wasteful.
In the nineties Java came with the web, and Python grew quietly beside it.
The debate about {s} and {o} has been held on every mailing list at least once.
{group_cap} publishes a new version of the standard every two or three years.
## Learning it
Beginners should write small programs every day instead of reading a thick book once.
The best exercise is to explain {s} to somebody who has never seen it.
Copying code teaches little, but typing it in and breaking it teaches a lot.
{group_cap} offers evening courses in which Java and Python are taught side by side.
Error messages should be read from the first line to the last before anything is changed.
After {s}, many students turn to {o} and find that half of it is familiar.
A notebook of one's own mistakes is worth more than a certificate.
## Performance
Nobody guesses well where a program spends its time, so measure before you change anything.
The first version should be clear, and the second may be fast.
A better algorithm beats a faster processor as soon as the input is large.
With {s} the cost often lies in memory and not in arithmetic.
Caches make programs fast and bugs hard to reproduce.
Benchmarks that praise {s} mostly measure the skill of their authors.
A server that answers in fifty milliseconds on average may still keep one user in a hundred
  waiting.
## Criticism
Critics say that {s} is oversold and that simpler tools would do.
Every abstraction leaks sooner or later, and then one has to know what lies below.
Some of the complaints are about style and would be settled by an automatic formatter.
Defenders answer that {s} prevents whole families of bugs which other teams find by hand.
The documentation explains every part and rarely how the parts belong together.
Compatibility with old versions is kept so carefully that old mistakes are kept as well.
Both sides agree that {o} deserves more attention than it gets.
%% headlines
{group_cap} proposes changes to {s}
Survey: developers want better tools for {s}
New release improves {s}
Security fix for {s} published
Field report: {s} in {place}
%% news
{group_cap} has released a draft that changes how {s} is handled.
The new version starts faster and removes several functions that were marked as old five years
  ago.
Existing programs should run without changes, according to the release notes.
"We listened to the people who maintain large code bases," said a member of the committee.
In a survey of four thousand developers, Java and Python were again named most often.
Maintainers ask users to test the candidate and to report bugs before {weekday}.
A security hole in an older release is closed as well, and administrators are advised to update.
Support for {o} is planned for the next release.
Companies that depend on the old behaviour can switch it back on until next spring.
%% posts
What {s} finally taught me
{T}: notes from {place}
I was wrong about {s}
A bug hunt with {s}
%% blog
Last month a build that had been green for two years turned red, and {s} was to blame.
My first instinct was to add a print statement, and my second was to add ten more.
The stack trace was eighty lines long and the important one was number seventy-nine.
A colleague asked what the function was supposed to return, and I had no answer.
Once I had a test that failed every time, the rest took twenty minutes.
I used to think that {s} was for people with large budgets.
In Python I would have written three lines, in Java it took a class, and both had the same
  mistake.
The fix was one character; the commit message has four paragraphs.
I gave a short talk about it at {place}, and somebody suggested {o} instead.
The sources are online, and corrections are welcome.
%% faq
Do I need to know {s} to get a job? :: It helps, but employers ask more often how you find and
  fix a mistake.
Should I learn Java or Python first? :: Either will do; choose the one that somebody near you
  can help you with.
Is there a tool that helps with {s}? :: Several, and most are free; the list kept by {group} is
  a good start.
How does {s} relate to {o}? :: They solve different problems and are often used in the same
  project.
Which version should I install? :: Take the current long-term release unless a library tells you
  otherwise.
Where do I report a bug? :: In the tracker of {group}, with the smallest program that shows it.
%% threads
Newbie question about {s}
{T} is slow, what am I doing wrong?
Best book on {s}?
{T} or something else for {place}?
%% forum
Please post the full error message and the smallest example that shows the problem.
You are comparing strings with the wrong operator, everybody does that once.
Profile it first, my guess is that the loop opens a new connection every time.
Works for me with the current version, which one do you have installed?
We spent a month on {s} and another one on {o}, and it was time well spent.
The documentation has an example for exactly this case, third section from the top.
Found it, there was an old jar on the class path, thanks everybody.
If the list is long use a dictionary, the lookup is what kills you.
Do not catch the exception there, let it travel up and look at the trace.
%% accented
The course text by the école du port writes naïve algorithm with two dots, as one should.
Identifiers such as größe, año or prénom are legal in Java and Python, though few teams allow
  them.
Sorting Ångström, Öl and Zürich correctly needs a collation and not a comparison of bytes.
"""
