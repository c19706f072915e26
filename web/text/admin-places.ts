export const adminPlaces = {
  label: 'Administration',
  groups: [
    {
      title: 'Instance',
      places: [
        ['/admin', 'Overview'],
        ['/admin/users', 'Users'],
        ['/admin/groups', 'Groups'],
        ['/admin/projects', 'Projects'],
      ],
    },
    {
      title: 'CI/CD',
      places: [
        ['/admin/runners', 'Runners'],
        ['/admin/jobs', 'Jobs'],
        ['/admin/ci_cd', 'Variables'],
      ],
    },
    {
      title: 'Operations',
      places: [
        ['/admin/tasks', 'Background tasks'],
        ['/admin/storage', 'Storage'],
        ['/admin/backups', 'Backups'],
        ['/admin/nodes', 'Nodes'],
        ['/admin/clusters', 'Clusters'],
        ['/admin/pages', 'Pages'],
        ['/admin/exports', 'Vulnerability exports'],
        ['/admin/broadcast_messages', 'Broadcast messages'],
        ['/admin/audit_events', 'Audit events'],
      ],
    },
    {
      title: 'Configuration',
      places: [
        ['/admin/settings', 'Settings'],
        ['/admin/applications', 'Applications'],
        ['/admin/hooks', 'System hooks'],
      ],
    },
  ] as readonly {
    title: string
    places: readonly (readonly [address: string, name: string])[]
  }[],
}

/** Words of the messages of administrators, on every page. */
export const broadcastPlace = {
  label: 'Messages from administrators',
  dismiss: (message: string) => `Dismiss message: ${message}`,
}

/** Words above every page while an administrator impersonates somebody. */
export const impersonation = {
  label: 'Impersonation',
  actingAs: (name: string, username: string) => `You are impersonating ${name} (@${username}).`,
  stop: 'Stop impersonating',
}

export const instanceVariables = { title: 'CI/CD variables' }
