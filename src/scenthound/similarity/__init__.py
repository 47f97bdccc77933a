"""How similar a text is to a topic: terms, text models, vectors, the topic, the judge."""
