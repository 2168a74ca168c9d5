/** The pages of the user's own account. */
export const pageNames = [
  'profile',
  'password',
  'visitor',
  'factor',
  'bindings',
  'sessions',
  'devices',
  'tokens',
] as const
export type PageName = (typeof pageNames)[number]

/** What a page can report to its window. */
export interface PageProps {
  readonly setDirty: (dirty: boolean) => void
  readonly go: (page: PageName) => void
}
