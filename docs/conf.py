"""The documentation site: ``tools/docs.sh``, or ``python -m sphinx -W -n --keep-going docs site``."""

import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
# An installed package is documented; a checkout that was built in place works too.
sys.path.append(str(ROOT / "src"))

from sphinx.ext.napoleon.docstring import GoogleDocstring  # noqa: E402

from knighttour import __version__  # noqa: E402

# Types of attributes and properties are annotations; a colon in their first sentence is a colon.
GoogleDocstring._consume_inline_attribute = lambda self: ("", self._consume_to_end())  # type: ignore

project = "knighttour"
author = "The knighttour developers"
copyright = author  # noqa: A001
release = version = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
myst_enable_extensions = ["attrs_inline"]
myst_heading_anchors = 3
# Examples are Python dialogues; other fences name their language.
highlight_language = "pycon"
# gallery.md includes it.
exclude_patterns = ["gallery/README.md"]

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_default_options = {"members": True, "show-inheritance": True}
napoleon_numpy_docstring = False
napoleon_use_rtype = False
python_use_unqualified_type_names = True

# Every name has to lead somewhere, but for those of other libraries (the site is built without a
# network) and our shorthands for types, which the head of the reference explains.
nitpicky = True
nitpick_ignore_regex = [
    ("py:.*", r"(collections\.abc|concurrent|networkx|numpy|os|pathlib)\..*"),
    ("py:class", r"Square|SquareLike|BoardLike|FilePath|SupportsFloat"),
    ("py:class", r"knighttour\.(answer\.Path|board\.(Shaped)?Squares|_engine\.Engine)"),
]

html_theme = "furo"
html_title = "knighttour"
html_show_sourcelink = False
html_theme_options = {"navigation_with_keys": True}
