# SPDX-License-Identifier: MIT
"""Blender draws the scene that it starts with by EEVEE."""
import sys

import bpy

scene = bpy.context.scene
scene.render.engine = 'BLENDER_EEVEE'
scene.eevee.taa_render_samples = 1
scene.render.resolution_x, scene.render.resolution_y = 160, 120
scene.render.resolution_percentage = 100
scene.render.filepath = sys.argv[-1]
bpy.ops.render.render(write_still=True)
