"""Who there is, what they did, and what the figures of it are: docs/figures.md, once more."""
import uuid

from server import is_android, token


class Person:
    def __init__(self, heard_of):
        self.name = None
        # When the server first heard of them.
        self.heard_of = heard_of
        self.sessions, self.events, self.purchases = [], [], []
        # By item of the news, the first read.
        self.reads = {}
        # Kind, button, variant and time.
        self.in_app = []

    def bought_after(self, shown):
        """Whether something was bought within a day of one of the showings."""
        return any(at <= bought <= at + 86_400_000
                   for at, _ in shown for bought, _, _ in self.purchases)

    def absorb(self, other):
        self.heard_of = min(self.heard_of, other.heard_of)
        self.sessions += other.sessions
        self.events += other.events
        self.purchases += other.purchases
        self.in_app += other.in_app
        for item, at in other.reads.items():
            self.reads[item] = min(at, self.reads.get(item, at))


class Phone:
    def __init__(self, number):
        self.number = number
        self.platform = "android" if is_android(number) else "ios"
        self.device = str(uuid.uuid4())
        self.token = token(number)
        self.user = {"anonymous_id": str(uuid.uuid4())}
        self.person = None


class Row:
    """A push to a phone, for who had it then."""

    def __init__(self, phone, person, accepted, is_unreported, variant=None):
        self.phone, self.person, self.accepted = phone, person, accepted
        self.platform, self.variant = phone.platform, variant
        self.is_unreported = is_unreported
        self.receipts, self.taps = [], []
        self.is_received = self.is_dismissed = False


class Push:
    def __init__(self, is_of_campaign=False):
        self.is_of_campaign = is_of_campaign
        self.rows = []
        # Of people who are gone: their rows, and the times of their influenced opens.
        self.gone, self.gone_influenced = [], []
        # How long after the acceptance of one of their messages they were influenced, at least and
        # at most.
        self.gone_delays = []
        # Who would have got it, and when: the control group.
        self.control = {}

    def everyone(self):
        return self.rows + self.gone

    def by_person(self):
        found = {}
        for row in self.rows:
            found.setdefault(row.person, []).append(row)
        return found

    def messages(self):
        """When a message of it was accepted for each person."""
        found = {}
        for row in self.rows:
            if row.accepted is not None:
                found[row.person] = min(row.accepted, found.get(row.person, row.accepted))
        return found

    def influenced(self):
        """The times of the influenced opens."""
        times = [influenced(person, rows) for person, rows in self.by_person().items()]
        return [at for at in times if at is not None] + self.gone_influenced

    def delays(self):
        """How long after its acceptance each message was opened, at least and at most: which device
        an influenced open is noted at is not told."""
        found = [(delay, delay) for row in self.everyone() if row.taps and row.accepted is not None
                 for delay in [max(0, min(row.taps) - row.accepted)]]
        for person, rows in self.by_person().items():
            found += influenced_delay(person, rows)
        return found + self.gone_delays

    def reach(self):
        """The people who are left, by how far they came."""
        found = {"targeted": set(), "delivered": set(), "received": set(), "opened": set()}
        for person, rows in self.by_person().items():
            found["targeted"].add(person)
            if any(row.accepted is not None for row in rows):
                found["delivered"].add(person)
            if any(row.is_received for row in rows):
                found["received"].add(person)
            if any(row.taps for row in rows) or influenced(person, rows) is not None:
                found["opened"].add(person)
        return found

    def forget(self, person):
        mine = [row for row in self.rows if row.person is person]
        if mine:
            at = influenced(person, mine)
            self.gone_influenced += [] if at is None else [at]
            self.gone_delays += influenced_delay(person, mine)
            self.gone += mine
            self.rows = [row for row in self.rows if row.person is not person]
        self.control.pop(person, None)

    def merge(self, source, target):
        for row in self.rows:
            if row.person is source:
                row.person = target
        if source in self.control:
            self.control.setdefault(target, self.control.pop(source))


def windows(sessions):
    """Each session with how long before it a push may have come, in milliseconds."""
    sessions = sorted(sessions)
    for index, at in enumerate(sessions):
        window = 1_800_000
        if index > 1:
            window = max(window, (sessions[index - 1] - sessions[0]) // (2 * (index - 1)))
        yield at, window


def influenced(person, rows):
    """When the person opened the app because of the push, without a tap."""
    if any(row.taps for row in rows):
        return None
    arrivals = [at for row in rows for at in row.receipts]
    arrivals += [row.accepted for row in rows if row.is_unreported and row.accepted is not None]
    if not arrivals:
        return None
    return next((at for at, window in windows(person.sessions)
                 if any(at - window <= arrival <= at for arrival in arrivals)), None)


def influenced_delay(person, rows):
    """How long after the acceptance of one of the rows, at least and at most; nothing without an
    influenced open."""
    at = influenced(person, rows)
    delays = [max(0, at - row.accepted) for row in rows
              if at is not None and row.accepted is not None]
    return [(min(delays), max(delays))] if delays else []


def conversions(pushes, window):
    """Each purchase for the latest message before it, each message once: of messages and of what
    the control group would have got, as (person, time of the message, time, amount, is control)."""
    sent = {}
    for number, push in pushes.items():
        for person, at in push.messages().items():
            sent.setdefault(person, []).append((at, number, False))
        addressed = push.by_person()
        for person, at in push.control.items():
            if person not in addressed:
                sent.setdefault(person, []).append((at, number, True))
    for person, messages in sent.items():
        messages.sort(reverse=True)
        converted = set()
        for at, price, quantity in sorted(person.purchases, key=lambda one: one[0]):
            latest = next((one for one in messages if one[0] <= at), None)
            if latest and at <= latest[0] + window and latest[1] not in converted:
                converted.add(latest[1])
                yield person, latest[0], at, price * quantity, latest[2]
