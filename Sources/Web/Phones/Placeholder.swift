import WebPages
