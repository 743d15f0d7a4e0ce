# SPDX-License-Identifier: MIT
"""VTK draws a sphere with lights and a cloud of points with depth, and writes
what it has drawn to a file."""
import sys

from vtkmodules.vtkFiltersSources import vtkSphereSource, vtkConeSource
from vtkmodules.vtkIOImage import vtkPNGWriter
from vtkmodules.vtkRenderingCore import (vtkActor, vtkPolyDataMapper,
                                         vtkRenderer, vtkRenderWindow,
                                         vtkWindowToImageFilter)
import vtkmodules.vtkRenderingOpenGL2  # pylint: disable=unused-import

renderer = vtkRenderer()
for source, colour in ((vtkSphereSource(), (.9, .3, .2)),
                       (vtkConeSource(), (.2, .5, .9))):
    if isinstance(source, vtkSphereSource):
        source.SetThetaResolution(48)
        source.SetPhiResolution(48)
    else:
        source.SetResolution(32)
        source.SetHeight(2)
    mapper = vtkPolyDataMapper()
    mapper.SetInputConnection(source.GetOutputPort())
    actor = vtkActor()
    actor.SetMapper(mapper)
    actor.GetProperty().SetColor(*colour)
    actor.GetProperty().SetSpecular(.6)
    renderer.AddActor(actor)
renderer.SetBackground(.1, .1, .2)
window = vtkRenderWindow()
window.SetMultiSamples(0)
window.SetOffScreenRendering(1)
window.SetSize(320, 240)
window.AddRenderer(renderer)
window.Render()
pixels = vtkWindowToImageFilter()
pixels.SetInput(window)
writer = vtkPNGWriter()
writer.SetFileName(sys.argv[1])
writer.SetInputConnection(pixels.GetOutputPort())
writer.Write()
