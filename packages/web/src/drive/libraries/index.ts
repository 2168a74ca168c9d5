// What the first set-up uses of libraries.
export { refetchCompany } from './data.ts'
export { Keeping } from './library-drawer.tsx'
