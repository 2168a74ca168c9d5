// What other areas use of users and departments: form rows, the names of secret levels, table files.
export { Field, Input, useLevels } from './shared/form-parts.tsx'
export { saveTable } from './sheets/files.ts'
