"""A sample web, written by us and generated from a seed: for the demo, for tests, for trying."""

from scenthound.sample.files import write_labels, write_topics, write_warc
from scenthound.sample.web import Response, SampleWeb, build

__all__ = ["Response", "SampleWeb", "build", "write_labels", "write_topics", "write_warc"]
