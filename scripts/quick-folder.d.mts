/** The folder for databases and contents of tests. */
export const quickFolder: string
