"""itly-plugin-braze: an analytics kit that hands its users and events to Braze in batches."""

import requests
from facts import KEY, URL, done, same
from itly_plugin_braze import BrazeOptions, BrazePlugin
from itly_sdk import Environment, Event, Logger, PluginLoadOptions, Properties


class Complaints(Logger):
    """Keeps what the plugin complains of."""

    def __init__(self):
        self.errors = []

    def debug(self, message):
        pass

    def info(self, message):
        pass

    def warn(self, message):
        self.errors.append(message)

    def error(self, message):
        self.errors.append(message)


logger = Complaints()
plugin = BrazePlugin(KEY, BrazeOptions(base_url=URL))
plugin.load(PluginLoadOptions(environment=Environment.PRODUCTION, logger=logger))
plugin.identify("fay", Properties(plan="team", seats=4))
for number in range(60):
    plugin.track("fay", Event("level_passed", Properties(level=number, path=["a", "b"])))
plugin.flush()
plugin.shutdown()
same(logger.errors, [], "complaints")

answer = requests.post(
    URL + "/users/export/ids", json={"external_ids": ["fay"]},
    headers={"Authorization": f"Bearer {KEY}"}, timeout=10,
).json()
fay = answer["users"][0]
same(fay["custom_attributes"], {"plan": "team", "seats": 4}, "identify")
same(
    [(event["name"], event["count"]) for event in fay["custom_events"]],
    [("level_passed", 60)], "track",
)
done()
