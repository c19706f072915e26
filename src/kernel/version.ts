/** The version of this program. Clients use `apiVersion` to decide which operations and parameters exist. */
export const serverVersion = '0.1.0'
export const apiVersion = '15.0.0'
export const serverRevision = 'bloomery'
