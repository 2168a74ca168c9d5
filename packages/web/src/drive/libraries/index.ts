// What the first set-up uses of libraries.

export { RetentionField } from './library-drawer.tsx'
export { refetchCompany } from './library-queries.ts'
