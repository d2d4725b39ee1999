"""The pages of the console and the phones: their routes, and an address for each."""
import os
import re

# What the sample's blocks and in-app messages have as their identifiers, but for a digit.
SAMPLE = "00000000-0000-4000-8000-00000000000"

PAGES = {
    # name: (route, address over the sample, whether it needs data)
    "overview": ("/console", "/console", False),
    "pushes": ("/console/push", "/console/push", False),
    "composer": ("/console/push/new", "/console/push/new", False),
    "push": ("/console/push/:number", "/console/push/9", True),
    "push-edit": ("/console/push/:number/edit", "/console/push/12/edit", True),
    "push-copy": ("/console/push/:number/duplicate", "/console/push/9/duplicate", True),
    "recipients": ("/console/push/:number/recipients", "/console/push/9/recipients", True),
    "campaigns": ("/console/campaigns", "/console/campaigns", False),
    "campaign": ("/console/campaigns/:campaign", "/console/campaigns/2", True),
    "campaign-result": ("/console/campaigns/:campaign", "/console/campaigns/4", True),
    "campaign-wizard": ("/console/campaigns/:campaign/edit", "/console/campaigns/2/edit", True),
    "campaign-copy": (
        "/console/campaigns/:campaign/duplicate", "/console/campaigns/2/duplicate", True),
    "campaign-activate": (
        "/console/campaigns/:campaign/activate", "/console/campaigns/2/activate", True),
    "campaign-rehearsal": (
        "/console/campaigns/:campaign/rehearsal", "/console/campaigns/4/rehearsal", True),
    "new-campaign": ("/console/campaigns/new", "/console/campaigns/new", False),
    "blocks": ("/console/blocks", "/console/blocks", False),
    "block": ("/console/blocks/:block", "/console/blocks/" + SAMPLE + "1", True),
    "new-block": ("/console/blocks/new", "/console/blocks/new", False),
    "catalogs": ("/console/catalogs", "/console/catalogs", False),
    "catalog": ("/console/catalogs/:catalog", "/console/catalogs/menu", True),
    "in-app": ("/console/in-app", "/console/in-app", False),
    "in-app-message": ("/console/in-app/:message", "/console/in-app/" + SAMPLE + "1", True),
    "in-app-edit": (
        "/console/in-app/:message/edit", "/console/in-app/" + SAMPLE + "1/edit", True),
    "in-app-copy": (
        "/console/in-app/:message/duplicate", "/console/in-app/" + SAMPLE + "2/duplicate", True),
    "in-app-activate": (
        "/console/in-app/:message/activate", "/console/in-app/" + SAMPLE + "3/activate", True),
    "in-app-users": (
        "/console/in-app/:message/users", "/console/in-app/" + SAMPLE + "1/users", True),
    "new-in-app": ("/console/in-app/new", "/console/in-app/new", False),
    "journeys": ("/console/journeys", "/console/journeys", False),
    "new-journey": ("/console/journeys/new", "/console/journeys/new", False),
    "journey": ("/console/journeys/:journey", "/console/journeys/1", True),
    "files": ("/console/files", "/console/files", False),
    "journey-rehearsal": (
        "/console/journeys/:journey/rehearsal", "/console/journeys/1/rehearsal", True),
    "journey-people": (
        "/console/journeys/:journey/steps/:step",
        "/console/journeys/1/steps/00000000-0000-4000-8000-000000900103?group=waiting", True),
    "journey-person": (
        "/console/journeys/:journey/users/:user", "/console/journeys/1/users/3", True),
    "news": ("/console/news", "/console/news", False),
    "news-item": ("/console/news/:news", "/console/news/2", True),
    "new-news": ("/console/news/new", "/console/news/new", False),
    "segments": ("/console/segments", "/console/segments", False),
    "lists": ("/console/segments/lists", "/console/segments/lists", False),
    "segment": ("/console/segments/:segment", "/console/segments/1", True),
    "segment-overlap": ("/console/segments/overlap", "/console/segments/overlap", False),
    "new-segment": ("/console/segments/new", "/console/segments/new", False),
    "why": ("/console/why", "/console/why?user=yuki&about=push:9", False),
    "events": ("/console/events", "/console/events", False),
    "event": (
        "/console/events/details", "/console/events/details?name=menu_viewed", True),
    "attributes": ("/console/attributes", "/console/attributes", False),
    "attribute": (
        "/console/attributes/details", "/console/attributes/details?name=shops", True),
    "reports": ("/console/reports", "/console/reports?step=session&step=purchase", False),
    "retention": ("/console/reports/retention", "/console/reports/retention", False),
    "series": ("/console/reports/series", "/console/reports/series?compare=yes", False),
    "calendar": ("/console/campaigns/calendar", "/console/campaigns/calendar", False),
    "paths": ("/console/reports/paths", "/console/reports/paths", False),
    "control-group": (
        "/console/reports/control-group", "/console/reports/control-group", False),
    "saved-reports": ("/console/reports/saved", "/console/reports/saved", False),
    "save-report": ("/console/reports/save", "/console/reports/save?kind=series", False),
    "users": ("/console/users", "/console/users", False),
    "user": ("/console/users/:user", "/console/users/3", True),
    "user-edit": ("/console/users/:user/edit", "/console/users/3/edit", True),
    "apps": ("/console/settings/apps", "/console/settings/apps", False),
    "keys": ("/console/settings/keys", "/console/settings/keys", False),
    "facts": ("/console/settings/facts", "/console/settings/facts", False),
    "sdk-authentication": (
        "/console/settings/sdk-authentication", "/console/settings/sdk-authentication", False),
    "workspaces": (
        "/console/settings/workspaces", "/console/settings/workspaces", False),
    "single-sign-on": (
        "/console/settings/single-sign-on", "/console/settings/single-sign-on", False),
    "team": ("/console/settings/team", "/console/settings/team", False),
    "member": ("/console/settings/team/:member", "/console/settings/team/1", False),
    "limits": ("/console/settings/limits", "/console/settings/limits", False),
    "languages": ("/console/settings/languages", "/console/settings/languages", False),
    "account": ("/console/account", "/console/account", False),
    "second-factor": ("/console/account/second-factor", "/console/account/second-factor", False),
    "passkeys": ("/console/account/passkeys", "/console/account/passkeys", False),
    "workspace": ("/console/settings/workspace", "/console/settings/workspace", False),
    "system": ("/console/settings/system", "/console/settings/system", False),
    "audit": ("/console/settings/audit", "/console/settings/audit", False),
    "phone": ("/phones/:phone", "/phones/phone-1", False),
}

# Routes that answer with something else than a page of their own.
NO_PAGES = {
    "/": "leads to the console",
    "/assets/:version/**": "files",
    "/console/**": "says that nothing is there; an address that leads nowhere",
    "/console/campaigns/drafts/:id": "looked at by the journeys",
    "/console/campaigns/drafts/:id/review": "looked at by the journeys",
    "/console/campaigns/review": "leads to the form",
    "/console/campaigns/:campaign/conversion": "a part of the list of campaigns",
    "/console/campaigns/:campaign/experiment.csv": "a file",
    "/console/campaigns/:campaign/rehearsal/text": "a file",
    "/console/files/patch": "a file",
    "/console/in-app/drafts/:id": "looked at by the journeys",
    "/console/in-app/:message/page": "the page of an HTML message, for a frame",
    "/console/journeys/drafts/:id": "looked at by the journeys",
    "/console/journeys/drafts/:id/add": "looked at by the journeys",
    "/console/journeys/drafts/:id/review": "looked at by the journeys",
    "/console/journeys/drafts/:id/rules": "looked at by the journeys",
    "/console/journeys/drafts/:id/steps/:step": "looked at by the journeys",
    "/console/journeys/drafts/:id/trial": "looked at by the journeys",
    "/console/journeys/:journey/rehearsal/text": "a file",
    "/console/journeys/publish": "leads to the list",
    "/console/login": "looked at by itself, before anybody is signed in",
    "/console/login/code": "asked for between a password and the console",
    "/console/login/openid/:workspace": "leads to a provider",
    "/console/login/openid/:workspace/return": "leads on from a provider",
    "/console/news/drafts/:id": "looked at by the journeys",
    "/console/palette": "JSON",
    "/phones/:phone/pictures": "a picture of a notification, for the phone",
    "/console/password/:token": "needs a link that an administrator has made",
    "/console/push/drafts/:id": "looked at by the journeys",
    "/console/push/drafts/:id/review": "looked at by the journeys",
    "/console/push/review": "leads to the form",
    "/console/reports/files/:report": "a file",
    "/console/reports/saved/:report": "leads to the report",
    "/console/reports/saved/:report/file/:format": "a file",
    "/console/segments/drafts/:id": "looked at by the journeys",
    "/console/segments/values": "JSON",
    "/console/push/changes": "server-sent events",
    "/console/push/export.csv": "a file",
    "/console/push/:number/recipients.csv": "a file",
    "/console/settings": "leads to the first of the settings",
    "/console/settings/apps/:app/proof": "a part of the apps' page",
    "/console/settings/sdk-authentication/:app": "a part of the page of SDK authentication",
    "/console/users/choices": "JSON",
    "/console/users/:user/figures": "a part of the user's page",
    "/console/users/:user/segments": "a part of the user's page",
    "/console/users/:user/timeline": "a part of the user's page",
    "/console/segments/:segment/users": "a part of the segment's page",
    "/sdk/web/:name": "files",
    "/phones": "leads to the first phone",
    "/phones/:phone/message": "the page of an HTML message, for a frame",
    "/phones/:phone/changes": "server-sent events",
    "/phones/:phone/week": "a part of the phone's page",
}


def routes():
    """What the router answers to a GET."""
    lines = os.environ["NOROSHI_ROUTES"].splitlines()
    return {re.sub(r"\{(\w+)\}", r":\1", line.removeprefix("GET ")) for line in lines
            if line.startswith("GET ")}


def matches(route, address):
    """Whether an address belongs to a route; fixed parts go before variable ones."""
    pattern = "".join("[^/]+" if part.startswith(":") else re.escape(part)
                      for part in re.split(r"(:\w+)", route))
    return re.fullmatch(pattern, address.partition("?")[0]) is not None
