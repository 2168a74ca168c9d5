/** The version of the desktop client this page matches, and the version of the page. */
export const version = { client: '6.1.0', web: 'v5.5.6' } as const
