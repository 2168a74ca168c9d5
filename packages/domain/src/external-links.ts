// Definitions of external links, shared by server and client.

/** Rights of a link: preview (4), download (8), upload into a folder (16), submit new versions of files (64). */
export const linkRights = { preview: 4, download: 8, upload: 16, edit: 64 } as const
export type LinkRight = keyof typeof linkRights
/** In display order. */
export const linkRightNames: readonly LinkRight[] = ['preview', 'download', 'edit', 'upload']

/** Adds the required rights: edit requires download, and download requires preview. */
export function withNeededRights(rights: number): number {
  const { preview, download, edit } = linkRights
  if ((rights & edit) !== 0) return rights | download | preview
  return (rights & download) !== 0 ? rights | preview : rights
}

/**
 * Status of a link ([R225], X18): 1 active, 2 not yet or temporarily inactive, 3 expired, 4 under approval, 5 refused,
 * 6 failed.
 */
export const LinkStatus = { active: 1, inactive: 2, over: 3, underApproval: 4, refused: 5, failed: 6 } as const

/** At most four letters or digits, case-sensitive; empty for no password ([R223]). */
export const linkPassword = /^[A-Za-z0-9]{0,4}$/
/** Valid link tokens, custom or generated. */
export const linkTokenShape = /^[A-Za-z0-9-]{1,64}$/
/** Valid custom names in link addresses. */
export const linkAddress = /^[A-Za-z0-9][A-Za-z0-9-]{3,39}$/
/** Maximum length of a link's note. */
export const maxLinkTextLength = 1000
/** Maximum number of users that one link can be restricted to. */
export const maxLinkPeople = 100
/** Maximum number of mail addresses that one link can be restricted to. */
export const maxLinkMails = 50

/** Why a visitor reports a link. */
export const linkReportReasons = ['unlawful', 'fraud', 'private', 'copyright', 'other'] as const
