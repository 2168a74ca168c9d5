// Listing, creating, renaming, moving and copying items ([R109]-[R121], [R124]-[R126]).
export { checkControlled } from './controlled.ts'
export { copyVersion } from './copy.ts'
export { CopyReporter } from './copy-reporter.ts'
export { makeFolders } from './folder-paths.ts'
export { fileHandlers } from './handlers.ts'
export { rename } from './rename.ts'
