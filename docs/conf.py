"""The documentation site, made by ``tools/docs.sh``."""

import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
# An installed package is documented; a checkout that was built in place works too.
sys.path.append(str(ROOT / "src"))

from sphinx import locale  # noqa: E402
from sphinx.ext.napoleon.docstring import GoogleDocstring  # noqa: E402

from knighttour import __version__  # noqa: E402

# Types are annotations: a colon in the first sentence about an attribute or a result is a colon.
GoogleDocstring._consume_inline_attribute = lambda self: ("", self._consume_to_end())
GoogleDocstring._consume_returns_section = lambda self, preprocess_types=False: [  # noqa: ARG005
    ("", "", self._dedent(self._consume_to_next_section()))
]

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
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_use_index = False  # search finds more, and an index of one letter a row is of no use

# Pages named *.zh-CN are Chinese: so are their frame and the navigation beside them.
CHINESE = {
    "Tutorial": "教程（英文）",
    "Cookbook": "实例（英文）",
    "Course work": "课程作业",
    "Puzzles": "谜题",
    "Pictures": "图画",
    "Image scrambling": "图像置乱",
    "Research counts": "研究用计数",
    "Huge boards": "巨大的棋盘",
    "How it works": "原理（英文）",
    "The five programs": "五个程序",
    "How any rectangle is toured": "任意矩形如何遍历",
    "Why there is no tour": "为什么没有遍历",
    "Counting tours exactly, and drawing them uniformly": "精确计数与均匀抽样",
    "Boards of any shape": "任意形状的棋盘",
    "Look up": "查阅（英文）",
    "Reference": "参考手册",
    "Reading and writing tours": "读写格式",
    "What kind of tour it is": "遍历的种类",
    "How many knight’s tours there are": "遍历的数目",
    "Gallery": "图库",
    "Compared with other programs": "与其他程序比较",
}


def in_its_own_language(app, pagename, templatename, context, doctree):  # noqa: ARG001
    """Give a page the frame of its language."""
    language = "zh_CN" if pagename.endswith(".zh-CN") else "en"
    catalogue, _ = locale.init([str(Path(locale.__file__).parent)], language, "sphinx")
    app.builder.templates.environment.install_gettext_translations(catalogue)
    context["language"] = language.replace("_", "-")
    if language == "zh_CN":
        tree = context["furo_navigation_tree"]
        for english, chinese in CHINESE.items():
            assert f">{english}<" in tree, f"conf.py translates {english!r}, which is not there"
            tree = tree.replace(f">{english}<", f">{chinese}<")
        context["furo_navigation_tree"] = tree


def setup(app):
    """Come after the theme, which makes the navigation."""
    app.connect("html-page-context", in_its_own_language, priority=900)
