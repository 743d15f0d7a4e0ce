# SPDX-License-Identifier: MIT
"""Sphinx's configuration; docs/make_html.py runs it on a copy of this folder that
has the generated pages, too."""
project = 'Saffron'
copyright = 'the developers of Saffron, MIT license'
author = 'the developers of Saffron'

extensions = ['sphinx.ext.graphviz']
graphviz_output_format = 'svg'

html_theme = 'alabaster'
html_theme_options = {
    'description': 'OpenGL and Vulkan for Intel Gen7 to Gen9',
    'page_width': '1100px',
    'sidebar_collapse': True,
}
html_sidebars = {'**': ['about.html', 'navigation.html', 'searchbox.html']}
html_show_sourcelink = False
html_copy_source = False

# Options are shown as they are typed.
smartquotes = False
highlight_language = 'none'
nitpicky = True
