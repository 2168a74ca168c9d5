/** The pages of the user's own account. */
export type PageName = 'profile' | 'password' | 'visitor' | 'factor' | 'bindings' | 'sessions' | 'devices' | 'tokens'

/** What a page can report to its window. */
export interface PageProps {
  readonly setDirty: (dirty: boolean) => void
  readonly go: (page: PageName) => void
}
