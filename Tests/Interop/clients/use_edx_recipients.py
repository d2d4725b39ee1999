"""edx-braze-client's own flow: make recipients of addresses and numbers, and send a campaign.

What is on the profiles afterwards is compared with what Braze leaves there: the alias is added, and
neither it nor the flag that steers the request becomes an attribute.
"""

import requests
from braze.client import BrazeClient
from braze.exceptions import BrazeBadRequestError
from facts import FACTS, KEY, URL, done, refused, same

client = BrazeClient(api_key=KEY, api_url=URL, app_id="tea")
LABEL = "Enterprise"
CAMPAIGN = FACTS["campaigns"]["Receipt"]


def profile(external_id):
    answer = requests.post(
        f"{URL}/users/export/ids",
        json={"external_ids": [external_id]},
        headers={"Authorization": f"Bearer {KEY}"},
        timeout=20,
    ).json()
    users = answer["users"]
    return users[0] if users else None


def left(external_id):
    """What a client can have put on a profile."""
    user = profile(external_id)
    return user and {
        "external_id": user["external_id"], "email": user["email"],
        "aliases": user["user_aliases"], "custom": user["custom_attributes"],
    }


def learner(number, email):
    return {
        "external_id": str(number), "email": email,
        "aliases": [{"alias_name": email, "alias_label": LABEL}],
        "custom": {"is_enterprise_learner": True},
    }


# One address is known by its alias alone, as create_braze_alias makes it; the other is new.
client.create_braze_alias(["old@example.com"], LABEL)
numbers = {"old@example.com": 5001, "new@example.com": 5002}
recipients = client.create_recipients(
    LABEL, numbers, trigger_properties_by_email={"new@example.com": {"amount": 7}}
)
same(sorted(row["external_user_id"] for row in recipients.values()), [5001, 5002], "recipients")
same(profile(5002), None, "nobody is made before the campaign is sent")

# A campaign that this key cannot trigger leaves nothing behind.
refused(
    lambda: client.send_campaign_message(
        FACTS["campaigns"]["Autumn"], recipients=list(recipients.values())
    ),
    BrazeBadRequestError, "a campaign that requests do not trigger",
)
same(profile(5002), None, "a refused request makes nobody")

sent = client.send_campaign_message(CAMPAIGN, recipients=list(recipients.values()))
same(sent["message"], "success", "send_campaign_message")
same("errors" in sent, False, "everything of the recipients is stored")
same(len(sent["dispatch_id"]), 32, "dispatch_id")
for email, number in numbers.items():
    same(left(number), learner(number, email), f"the profile of {email}")
    same(
        client.get_braze_external_id_batch([email], LABEL), {email: str(number)},
        f"the alias of {email}",
    )

# The same again changes nothing.
client.send_campaign_message(
    CAMPAIGN, recipients=list(client.create_recipients(LABEL, numbers).values())
)
for email, number in numbers.items():
    same(left(number), learner(number, email), f"the profile of {email}, sent to again")
done()
