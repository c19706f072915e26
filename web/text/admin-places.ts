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
        ['/admin/broadcast_messages', 'Broadcast messages'],
      ],
    },
  ],
} as const

/** Words of the messages of administrators, on every page. */
export const broadcastPlace = {
  label: 'Messages from the administrators',
  dismiss: (message: string) => `Dismiss message: ${message}`,
}
