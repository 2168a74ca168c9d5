/** The version of the desktop client this page keeps step with, and of the page itself. */
export const version = { client: '6.1.0', web: 'v5.5.6' } as const
