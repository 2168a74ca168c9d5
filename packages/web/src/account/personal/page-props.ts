/** The pages of one's own account. */
export type PageName = 'profile' | 'password' | 'visitor' | 'factor' | 'sessions'

/** What a page may say to its window. */
export interface PageProps {
  readonly setDirty: (dirty: boolean) => void
  readonly go: (page: PageName) => void
}
