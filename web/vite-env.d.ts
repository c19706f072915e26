declare module '*?worker&url' {
  const url: string
  // biome-ignore lint/style/noDefaultExport: how the build tells the address of a worker.
  export default url
}
