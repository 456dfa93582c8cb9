"""Sphinx: the reference of the Python package, which must be importable."""

import neutreeko

project = 'neutreeko'
release = version = neutreeko.__version__
extensions = ['sphinx.ext.autodoc', 'sphinx.ext.coverage']
html_theme = 'alabaster'
html_show_copyright = False
default_role = 'code'
smartquotes = False
autodoc_member_order = 'bysource'
autodoc_default_options = {'members': True, 'show-inheritance': True}
coverage_statistics_to_report = False  # a table, which later versions of Sphinx add
