"""The documentation site: ``python -m sphinx -W --keep-going -b html docs site``."""

import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
# An installed package is documented; a checkout that was built in place works too.
sys.path.append(str(ROOT / "src"))

from knighttour import __version__  # noqa: E402

project = "knighttour"
author = "The knighttour developers"
copyright = author  # noqa: A001
release = version = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
myst_enable_extensions = ["attrs_inline"]
myst_heading_anchors = 3
# Examples are Python dialogues; other fences name their language.
highlight_language = "pycon"
exclude_patterns = []

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_default_options = {"members": True, "show-inheritance": True}
napoleon_numpy_docstring = False
napoleon_use_rtype = False
python_use_unqualified_type_names = True

html_theme = "furo"
html_title = "knighttour"
html_show_sourcelink = False
html_theme_options = {"navigation_with_keys": True}
