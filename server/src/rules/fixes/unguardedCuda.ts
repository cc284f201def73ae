import type { Fix } from '../contract.ts';
export const fixesOfCudaCall = (..._: unknown[]): Fix[] => [];
export const fixesOfDeviceLiteral = fixesOfCudaCall;
export const fixesOfRaisingCall = fixesOfCudaCall;
export const fixesOfTensorType = fixesOfCudaCall;
