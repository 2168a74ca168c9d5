export * from './cell-looks.ts'
export * from './colors.ts'
export * from './elements.ts'
export * from './measures.ts'
