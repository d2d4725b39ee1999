"""What all surfaces have in common."""

import json

from . import inputs, trees


class Surface:
    """Makes inputs for one part of the server. `prepare` may ask the running server."""

    # Where the surface is of another program than the server.
    site = "server"

    def __init__(self, site, random):
        self.site, self.random = site, random
        self.seeds = []

    def prepare(self):
        """Called once, before the first input."""

    def refresh(self):
        """Called after each restart."""

    def observe(self, sent, answer):
        """Called with each answer, to learn from it."""

    def next(self):
        """The next input."""
        if self.seeds and self.random.random() < 0.1:
            return self.bent(self.random.choice(self.seeds))
        return self.make()

    def make(self):
        raise NotImplementedError

    def bent(self, seed):
        """A stored input with one more change."""
        stored = json.loads(json.dumps(seed.stored()))
        again = inputs.restored(stored)
        body = getattr(again, "body", None)
        if isinstance(body, inputs.JSONBody):
            body.tree = trees.mutate(self.random, body.tree)
        elif isinstance(body, inputs.BytesBody):
            body.data = trees.mutate_bytes(self.random, body.data)
        elif isinstance(body, inputs.FormBody) and body.fields:
            index = self.random.randrange(len(body.fields))
            name, value = body.fields[index]
            body.fields[index] = (name, trees.bend(self.random, value))
        return again

    def times(self):
        """How many values are changed in one input."""
        return self.random.choice([1, 1, 1, 2, 2, 3])
