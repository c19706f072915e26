/** The version of this program. Clients look at `apiVersion` to decide which operations and parameters to use. */
export const serverVersion = '0.1.0'
export const apiVersion = '15.0.0'
export const serverRevision = 'bloomery'
