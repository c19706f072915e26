/** Of this program, and of the API it speaks: clients compare the latter to decide what to send. */
export const serverVersion = '0.1.0'
export const apiVersion = '15.0.0'
export const serverRevision = 'bloomery'
