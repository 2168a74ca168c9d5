// What links for people outside are made of, for both sides of the wire.

/** What a link can give: to look (4), to download (8), to put something into a folder (16), to bring new versions of files (64). */
export const linkRights = { preview: 4, download: 8, upload: 16, edit: 64 } as const
export type LinkRight = keyof typeof linkRights
/** As they are said one behind the other. */
export const linkRightNames: readonly LinkRight[] = ['preview', 'download', 'edit', 'upload']

/** With what each needs: who edits has the file, and who has it can look at it. */
export function withNeededRights(rights: number): number {
  const { preview, download, edit } = linkRights
  if ((rights & edit) !== 0) return rights | download | preview
  return (rights & download) !== 0 ? rights | preview : rights
}

/** How a link is now ([R225], X18): 1 active, 2 not yet or not for the moment, 3 over, 4 under approval, 5 refused, 6 failed. */
export const LinkStatus = { active: 1, inactive: 2, over: 3, underApproval: 4, refused: 5, failed: 6 } as const

/** Letters or digits, at most four, upper and lower case told apart; none where it is empty ([R223]). */
export const linkPassword = /^[A-Za-z0-9]{0,4}$/
/** What stands in the address of a link, given or made up. */
export const linkTokenShape = /^[A-Za-z0-9-]{1,64}$/
/** What a link can be called in its address. */
export const linkAddress = /^[A-Za-z0-9][A-Za-z0-9-]{3,39}$/
/** The longest note of a link. */
export const maxLinkTextLength = 1000
/** People that one link can be for. */
export const maxLinkPeople = 100
/** Addresses of mail that one link can be for. */
export const maxLinkMails = 50
