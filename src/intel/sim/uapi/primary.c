/* SPDX-License-Identifier: MIT */
/*
 * What a primary node (card0) permits beyond a render node (kernel
 * documentation, "Primary Nodes, DRM Master and Authentication"). Whoever may
 * open it counts as authenticated and as master: there is no display that one
 * could take from another.
 */
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "uapi.h"

bool
uapi_is_mode_setting(unsigned nr)
{
   return (nr >= _IOC_NR(DRM_IOCTL_MODE_GETRESOURCES) &&
           nr <= _IOC_NR(DRM_IOCTL_MODE_DESTROYPROPBLOB)) ||
          (nr >= _IOC_NR(DRM_IOCTL_MODE_CREATE_LEASE) &&
           nr <= _IOC_NR(DRM_IOCTL_MODE_REVOKE_LEASE)) ||
          nr == _IOC_NR(DRM_IOCTL_WAIT_VBLANK) ||
          nr == _IOC_NR(DRM_IOCTL_CRTC_GET_SEQUENCE) ||
          nr == _IOC_NR(DRM_IOCTL_CRTC_QUEUE_SEQUENCE) ||
          nr == _IOC_NR(DRM_IOCTL_MODE_GETFB2) ||
          nr == _IOC_NR(DRM_IOCTL_SET_CLIENT_CAP);
}

int
uapi_get_magic(struct saffron_sim_file *file, void *arg)
{
   struct drm_auth *a = arg;
   if (!file->is_primary)
      return -EACCES;
   a->magic = (drm_magic_t)file->sim->token | 1;
   return 0;
}

int
uapi_auth_magic(struct saffron_sim_file *file, void *arg)
{
   const struct drm_auth *a = arg;
   if (!file->is_primary)
      return -EACCES;
   return a->magic ? 0 : -EINVAL;
}

int
uapi_master(struct saffron_sim_file *file, void *arg)
{
   return file->is_primary ? 0 : -EACCES;
}

int
uapi_set_version(struct saffron_sim_file *file, void *arg)
{
   struct drm_set_version *a = arg;
   if (!file->is_primary)
      return -EACCES;
   const bool known = (a->drm_di_major == -1 ||
                       (a->drm_di_major == 1 && a->drm_di_minor >= 0 &&
                        a->drm_di_minor <= 4)) &&
                      (a->drm_dd_major == -1 || a->drm_dd_major == 1);
   a->drm_di_major = 1;
   a->drm_di_minor = 4;
   a->drm_dd_major = 1;
   a->drm_dd_minor = 6;
   return known ? 0 : -EINVAL;
}

/* The name of the bus, which sysfs tells, too. */
int
uapi_get_unique(struct saffron_sim_file *file, void *arg)
{
   struct drm_unique *a = arg;
   if (!file->is_primary)
      return -EACCES;
   a->unique_len = 0;
   return 0;
}

int
uapi_get_client(struct saffron_sim_file *file, void *arg)
{
   struct drm_client *a = arg;
   if (!file->is_primary)
      return -EACCES;
   if (a->idx)
      return -EINVAL;
   a->auth = 1;
   a->pid = (unsigned long)getpid();
   a->uid = getuid();
   a->magic = a->iocs = 0;
   return 0;
}
