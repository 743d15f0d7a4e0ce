# SPDX-License-Identifier: MIT
"""Which state of Gen7.5 becomes which of Gen9's, for gen_convert.py. What
stands under by_hand is in state_gen7.c and compute_gen7.c, or nothing on the
simulated GPU depends on it."""

# Caches are tracked without looking at MOCS, whose values differ.
MOCS = 'MOCS'

ROWS = [
    ('3DSTATE_VS', '3DSTATE_VS', {}),
    ('3DSTATE_HS', '3DSTATE_HS', {'by_hand': 'SemaphoreHandle'}),
    ('3DSTATE_DS', '3DSTATE_DS', {'by_hand': 'SingleDomainPointDispatch'}),
    ('3DSTATE_GS', '3DSTATE_GS', {'by_hand': 'SemaphoreHandle'}),
    ('3DSTATE_CONSTANT_BODY', '3DSTATE_CONSTANT_BODY', {'by_hand': MOCS}),

    ('3DSTATE_STREAMOUT', '3DSTATE_STREAMOUT',
     {'by_hand': 'SOBufferEnable0 SOBufferEnable1 SOBufferEnable2 '
                 'SOBufferEnable3'}),

    ('3DSTATE_CLIP', '3DSTATE_CLIP',
     {'by_hand': 'CullMode FrontWinding ViewportZClipTestEnable'}),

    # The setup state is one packet on Gen7, two on Gen9.
    ('3DSTATE_SF', '3DSTATE_SF',
     {'by_hand': 'FrontWinding BackFaceFillMode FrontFaceFillMode '
                 'GlobalDepthOffsetEnablePoint '
                 'GlobalDepthOffsetEnableWireframe '
                 'GlobalDepthOffsetEnableSolid DepthBufferSurfaceFormat '
                 'MultisampleRasterizationMode '
                 'RTIndependentRasterizationEnable ScissorRectangleEnable '
                 'LineStippleEnable CullMode AntialiasingEnable '
                 'GlobalDepthOffsetConstant GlobalDepthOffsetScale '
                 'GlobalDepthOffsetClamp'}),
    ('3DSTATE_SF', '3DSTATE_RASTER',
     {'rename': {'MultisampleRasterizationMode':
                 'DXMultisampleRasterizationMode'},
      'only': 'FrontWinding BackFaceFillMode FrontFaceFillMode '
              'GlobalDepthOffsetEnablePoint '
              'GlobalDepthOffsetEnableWireframe '
              'GlobalDepthOffsetEnableSolid MultisampleRasterizationMode '
              'ScissorRectangleEnable CullMode AntialiasingEnable '
              'GlobalDepthOffsetConstant GlobalDepthOffsetScale '
              'GlobalDepthOffsetClamp'}),

    ('SF_OUTPUT_ATTRIBUTE_DETAIL', 'SF_OUTPUT_ATTRIBUTE_DETAIL', {}),
    ('3DSTATE_SBE', '3DSTATE_SBE',
     {'by_hand': 'AttributeSwizzleControlMode Attribute '
                 'AttributeWrapShortestEnables'}),
    ('3DSTATE_SBE', '3DSTATE_SBE_SWIZ',
     {'only': 'Attribute AttributeWrapShortestEnables'}),

    # So is the state of the pixel shader: two, and three.
    ('3DSTATE_WM', '3DSTATE_WM',
     {'rename': {'HierarchicalDepthBufferResolveEnable':
                 'LegacyHierarchicalDepthBufferResolveEnable',
                 'DepthBufferResolveEnable':
                 'LegacyDepthBufferResolveEnable',
                 'DepthBufferClear': 'LegacyDepthBufferClearEnable'},
      'by_hand': 'MultisampleRasterizationMode '
                 'RTIndependentRasterizationEnable '
                 'PixelShaderUsesInputCoverageMask PixelShaderUsesSourceW '
                 'PixelShaderUsesSourceDepth PixelShaderComputedDepthMode '
                 'PixelShaderKillsPixel ThreadDispatchEnable PSUAVonly '
                 'MultisampleDispatchMode'}),
    ('3DSTATE_WM', '3DSTATE_PS_EXTRA',
     {'rename': {'ThreadDispatchEnable': 'PixelShaderValid'},
      'only': 'PixelShaderUsesSourceW PixelShaderUsesSourceDepth '
              'PixelShaderComputedDepthMode PixelShaderKillsPixel '
              'ThreadDispatchEnable'}),
    ('3DSTATE_PS', '3DSTATE_PS',
     {'rename': {'DenormalMode': 'SinglePrecisionDenormalMode'},
      'same': 'DenormalMode',
      'by_hand': 'AccessesUAV RenderTargetResolveEnable '
                 'DualSourceBlendEnable oMaskPresenttoRenderTarget '
                 'AttributeEnable SampleMask MaximumNumberofThreads'}),
    ('3DSTATE_PS', '3DSTATE_PS_EXTRA',
     {'only': 'oMaskPresenttoRenderTarget AttributeEnable'}),

    ('3DSTATE_MULTISAMPLE', '3DSTATE_MULTISAMPLE',
     {'only': 'NumberofMultisamples PixelLocation'}),
    ('3DSTATE_DEPTH_BUFFER', '3DSTATE_DEPTH_BUFFER',
     {'by_hand': MOCS + ' DepthCoordinateOffsetX DepthCoordinateOffsetY'}),
    ('3DSTATE_STENCIL_BUFFER', '3DSTATE_STENCIL_BUFFER', {'by_hand': MOCS}),
    ('3DSTATE_HIER_DEPTH_BUFFER', '3DSTATE_HIER_DEPTH_BUFFER',
     {'by_hand': MOCS}),
    ('DEPTH_STENCIL_STATE', '3DSTATE_WM_DEPTH_STENCIL', {}),

    ('INTERFACE_DESCRIPTOR_DATA', 'INTERFACE_DESCRIPTOR_DATA', {}),
    ('MEDIA_VFE_STATE', 'MEDIA_VFE_STATE',
     {'by_hand': 'GPGPUMode BypassGatewayControl HalfSliceDisable'}),
    ('GPGPU_WALKER', 'GPGPU_WALKER',
     {'rename': {'ThreadGroupIDStartingZ': 'ThreadGroupIDStartingResumeZ'}}),
]
