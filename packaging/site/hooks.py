"""Makes the first page of README.md, and leads links to files beside docs/ to the repository."""

import posixpath
import re
from pathlib import Path

from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parents[2]
REPOSITORY = "https://github.com/headroom-dev/headroom/blob/main/"
LINK = re.compile(r'(\]\(<?|\b(?:href|src)=")(?![a-z]+:|/)([^)\s>"#:]+)')


def on_files(files, config):
    """Adds the README as the first page: its links are relative to the repository."""
    text = LINK.sub(lambda m: m[1] + posixpath.relpath(m[2], "docs") + ("/" if m[2].endswith("/") else ""),
                    (ROOT / "README.md").read_text("utf-8"))
    files.append(File.generated(config, "index.md", content=text))
    return files


def on_page_markdown(markdown, page, config, files):
    """Leads a link that leaves docs/ to the repository, and one to a folder of it to its page."""
    folder = posixpath.dirname(page.file.src_uri)

    def moved(match):
        target = posixpath.normpath(posixpath.join(folder, match[2]))
        if target.startswith("../"):
            return match[1] + REPOSITORY + target[3:]
        if (ROOT / "docs" / target).is_dir():
            index = target + "/README.md"
            if files.get_file_from_path(index):
                return match[1] + posixpath.relpath(index, folder or ".")
            return match[1] + REPOSITORY + "docs/" + target
        if target.endswith(".go"):
            return match[1] + REPOSITORY + "docs/" + target
        return match[0]

    return LINK.sub(moved, markdown)


def on_post_page(output, page, config):
    """Takes out what has the browser ask GitHub for stars and releases."""
    return output.replace(' data-md-component="source"', "")
