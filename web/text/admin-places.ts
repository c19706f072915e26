export const adminPlaces = {
  label: 'Administration',
  groups: [
    {
      title: 'Instance',
      places: [
        ['/admin', 'Overview'],
        ['/admin/users', 'Users'],
      ],
    },
    {
      title: 'Operation',
      places: [
        ['/admin/tasks', 'Background tasks'],
        ['/admin/storage', 'Storage'],
      ],
    },
  ],
} as const
