// The windows of libraries.
import { win } from '../core/windows/index.ts'

/** What this area adds to the window catalogue. */
export const companyWindows = {
  'company-new-library': win<Readonly<Record<string, never>>, { readonly libraryId: number }>({
    title: 'company.library.new',
    size: { width: 520, height: 'auto' },
    load: () => import('./libraries/new-library.tsx').then((module) => module.NewLibrary),
    sample: {},
  }),
}
