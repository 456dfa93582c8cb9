/** The address of the file: what bundlers make of an import of a file that they copy. */
declare const address: string;
export default address;
