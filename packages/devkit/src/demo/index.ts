/** The data of `npm start -- --demo`. Import it only there and dynamically, because it loads a font and encoders. */
export { type DemoCompany, type DemoLibrary, type DemoShare, demoCompany, demoPassword } from './company.ts'
export { bigFolderCount, type DemoFile, demoFiles } from './files.ts'
export { type DemoTarget, fillWithDemo } from './fill.ts'
export { type DemoCalls, loadDemo, NotEmptyError } from './load.ts'
export { pdf } from './pdf.ts'
export { prepareWaysIn } from './ways-in.ts'
