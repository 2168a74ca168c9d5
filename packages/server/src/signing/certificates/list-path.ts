/** The address of the list of revoked certificates of an authority, below that of the installation. */
export const listPath = (authorityId: number): string => `/services2/sign/revoked/${authorityId}`
