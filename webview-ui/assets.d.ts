// Files that the bundler takes in by a side-effect import.
declare module '*.css';
