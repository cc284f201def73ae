"""Prints the files of packages in the index that pip uses, each with its `requires-python` or null:
`{"torch": [["torch-2.6.0-...whl", ">=3.9.0"]]}`."""

import json
import sys

from pip._internal.commands import create_command
from pip._internal.index.collector import LinkCollector, parse_links

command = create_command("index")
files = {}
for name in sys.argv[1:]:
    options, _ = command.parse_args(["versions", name])
    with command.main_context():
        collector = LinkCollector.create(command._build_session(options), options=options)
        sources = collector.collect_sources(name, candidates_from_page=lambda page: [])
        pages = [collector.fetch_response(source.link) for source in sources.index_urls if source]
        links = [link for page in pages if page for link in parse_links(page)]
        files[name] = sorted({link.filename: link.requires_python for link in links}.items())
print(json.dumps(files))
