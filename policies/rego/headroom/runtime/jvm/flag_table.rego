package headroom.runtime.jvm

# flag_table has every -XX flag of JDK 8, 11, 17, 21, 25, 26 and 28 that is not in steady, in
# groups: names, then a code of eight characters. The first is the kind of value: b switch,
# n number, i number with a sign, d fraction, s text, u differs. One for each of those
# releases follows: + takes the flag (or says that it is obsolete), x and d take it after
# +UnlockExperimentalVMOptions or +UnlockDiagnosticVMOptions, - refuses to start. Made from
# -XX:+PrintFlagsFinal, plain and unlocked, on the JDKs of tests/integration/jvm; flags that every
# release keeps diagnostic are left out.
flag_table := `
 AlignVector AllowParallelDefineClass AllowUserSignalHandlers AlwaysCompileLoopMethods AlwaysRestoreFPU AlwaysTenure 
 BackgroundCompilation BlockLayoutByFrequency BlockLayoutRotateLoops C1OptimizeVirtualCallProfiling C1ProfileBranches 
 C1ProfileCalls C1ProfileCheckcasts C1ProfileInlinedCalls C1ProfileVirtualCalls C1UpdateMethodData 
 CICompilerCountPerCPU CITime CheckJNICalls ClassUnloading ClassUnloadingWithConcurrentMark ClipInlining 
 CreateMinidumpOnCrash DTraceAllocProbes DTraceMethodProbes DTraceMonitorProbes DisableAttachMechanism 
 DisplayVMOutputToStderr DisplayVMOutputToStdout DoEscapeAnalysis DontCompileHugeMethods DumpReplayDataOnError 
 EagerXrunInit EliminateAllocations EliminateAutoBox EliminateLocks EliminateNestedLocks EnableContended 
 ErrorFileToStderr ErrorFileToStdout EstimateArgEscape FlightRecorder ForceTimeHighResolution HeapDumpAfterFullGC 
 HeapDumpBeforeFullGC IgnoreEmptyClassPaths IncrementalInline Inline InlineSynchronizedMethods JavaMonitorsInStackTrace 
 LoadExecStackDllInVMThread LoopUnswitching ManagementServer MaxFDLimit MethodFlushing NUMAStats NeverTenure 
 OptimizeFill OptimizePtrCompare OptimizeStringConcat OptoScheduling PartialPeelAtUnsignedTests PartialPeelLoop 
 PerfAllowAtExitRegistration PerfBypassFileSystemCheck PerfDataSaveToFile PreferInterpreterNativeStubs 
 PrintClassHistogram PrintCodeCache PrintCodeCacheOnCompilation PrintCompilation PrintConcurrentLocks PrintFlagsInitial 
 PrintGC PrintGCDetails PrintHeapAtSIGBREAK PrintSharedArchiveAndExit PrintStringTableStatistics PrintTieredEvents 
 PrintVMOptions PrintWarnings ProfileInterpreter RangeCheckElimination ReassociateInvariants ReduceBulkZeroing 
 ReduceFieldZeroing ReduceInitialCardMarks ReduceSignalUsage RelaxAccessControlCheck ResizePLAB ResizeTLAB 
 RestoreMXCSROnJNICalls RestrictContended RewriteBytecodes RewriteFrequentPairs SafepointTimeout ShowMessageBoxOnError 
 SplitIfBlocks StackTraceInThrowable StartAttachListener SuppressFatalErrorMessage ThreadPriorityVerbose 
 TrapBasedNullChecks TrapBasedRangeChecks UseAES UseAdaptiveNUMAChunkSizing UseAddressNop UseBMI1Instructions 
 UseBMI2Instructions UseBimorphicInlining UseCLMUL UseCodeCacheFlushing UseCompiler UseCompressedClassPointers 
 UseCondCardMark UseCountLeadingZerosInstruction UseCountTrailingZerosInstruction UseCountedLoopSafepoints UseDivMod 
 UseDynamicNumberOfGCThreads UseFPUForSpilling UseFastJNIAccessors UseFastStosb UseInlineCaches UseInterpreter 
 UseJumpTables UseLargePagesIndividualAllocation UseLoopCounter UseLoopInvariantCodeMotion UseLoopPredicate 
 UseMaximumCompactionOnSystemGC UseNUMAInterleaving UseOnStackReplacement UseOnlyInlinedBimorphic 
 UsePopCountInstruction UseSHA UseSSE42Intrinsics UseSignalChaining UseStoreImmI16 UseSuperWord UseThreadPriorities 
 UseTypeProfile UseTypeSpeculation UseUnalignedLoadStores UseXmmI2D UseXmmI2F UseXmmLoadAndClearUpper 
 UseXmmRegToRegMoveAll VerifySharedSpaces ZeroTLAB =b+++++++ 
 AggressiveHeap AlwaysActAsServerClassMachine DumpSharedSpaces NeverActAsServerClassMachine OptoBundling 
 PSChunkLargeArrays ParallelRefProcBalancingEnabled ParallelRefProcEnabled RequireSharedSpaces 
 UseAdaptiveGenerationSizePolicyAtMajorCollection UseAdaptiveGenerationSizePolicyAtMinorCollection 
 UseAdaptiveSizeDecayMajorGCCost UseAdaptiveSizePolicyFootprintGoal UseAdaptiveSizePolicyWithSystemGC UseNewLongLShift 
 UseOprofile UsePSAdaptiveSurvivorSizePolicy UseSharedSpaces UseXMMForArrayCopy =b++++++- 
 UseLinuxPosixThreadCPUClocks =b+++++-- 
 DontYieldALot PreserveAllAnnotations RegisterFinalizersAtInit ScavengeBeforeFullGC TLABStats TimeLinearScan 
 UseCounterDecay UseHugeTLBFS UseRTMDeopt UseRTMLocking UseSHM =b++++--- 
 AlwaysLockClassLoader AssertOnSuspendWaitFailure CriticalJNINatives ExtendedDTraceProbes FilterSpuriousWakeups 
 G1UseAdaptiveConcRefinement PreferContainerQuotaForCPUCount PrintSharedDictionary TraceSuspendWaitFailures 
 UseBiasedLocking UseHeavyMonitors UseOptoBiasInlining =b+++---- 
 AggressiveOpts AllowJNIEnvProxy AllowNonVirtualCalls AssumeMP BindGCTaskThreadsToCPUs BranchOnRegister 
 CMSAbortSemantics CMSClassUnloadingEnabled CMSCleanOnEnter CMSConcurrentMTEnabled CMSEdenChunksRecordAlways 
 CMSExtrapolateSweep CMSLoopWarn CMSOldPLABResizeQuicker CMSPLABRecordAlways CMSParallelInitialMarkEnabled 
 CMSParallelRemarkEnabled CMSParallelSurvivorRemarkEnabled CMSPrecleanRefLists1 CMSPrecleanRefLists2 
 CMSPrecleanSurvivors1 CMSPrecleanSurvivors2 CMSPrecleaningEnabled CMSPrintChunksInDump CMSPrintObjectsInDump 
 CMSReplenishIntermediate CMSScavengeBeforeRemark CMSSplitIndexedFreeListBlocks CMSYield CheckEndorsedAndExtDirs 
 CompactFields CompilerThreadHintNoPreempt Debugging DeoptimizeRandom EnableTracing FLSAlwaysCoalesceLarge 
 FailOverToOldVerifier ForceNUMA GCLockerInvokesConcurrent InsertMemBarAfterArraycopy LIRFillDelaySlots 
 MonitorInUseLists NeedsDeoptSuspend ParGCTrimOverflow ParGCUseLocalOverflow PrintJNIResolving PrintSafepointStatistics 
 PrintVMQWaitTime ProfileIntervals ProfileVM ProfilerPrintByteCodeStatistics ProfilerRecordPC ResizeOldPLAB 
 TraceBiasedLocking TraceClassLoading TraceClassLoadingPreorder TraceClassPaths TraceClassResolution 
 TraceClassUnloading TraceExceptions TraceLoaderConstraints TraceMonitorInflation TraceSafepointCleanupTime 
 TransmitErrorReport UnlinkSymbolsALot UseAdaptiveGCBoundary UseCMSBestFit UseCMSInitiatingOccupancyOnly 
 UseConcMarkSweepGC UseGCTaskAffinity UseLWPSynchronization UseLargePagesInMetaspace UseLegacyJNINameEscaping 
 UseLockedTracing UseMembar UseOSErrorReporting UseParallelOldGC UseRDPCForConstantTableBase VMThreadHintNoPreempt 
 VerifyMergedCPBytecodes =b++----- 
 BytecodeVerificationLocal BytecodeVerificationRemote StressLdcRewrite =b++ddddd 
 AdjustConcurrency CMSCompactWhenClearAllSoftRefs CMSDumpAtPromotionFailure CMSIncrementalMode CMSIncrementalPacing 
 CMSPrintEdenSurvivorChunks CollectGen0First ConvertSleepToYield ConvertYieldToSleep 
 ExplicitGCInvokesConcurrentAndUnloadsClasses FastTLABRefill JNIDetachReleasesMonitors LazyBootClassLoader LogJFR 
 MustCallLoadClassInternal ParallelGCVerbose PrintAdaptiveSizePolicy PrintCMSInitiationStatistics 
 PrintClassHistogramAfterFullGC PrintClassHistogramBeforeFullGC PrintGCApplicationConcurrentTime 
 PrintGCApplicationStoppedTime PrintGCCause PrintGCDateStamps PrintGCID PrintGCTaskTimeStamps PrintGCTimeStamps 
 PrintHeapAtGC PrintHeapAtGCExtended PrintJNIGCStalls PrintOldPLAB PrintOopAddress PrintPLAB 
 PrintParallelOldGCPhaseTimes PrintPromotionFailure PrintReferenceGC PrintSharedSpaces 
 PrintStringDeduplicationStatistics PrintTLAB PrintTenuringDistribution ReflectionWrapResolutionErrors 
 TraceDynamicGCThreads TraceGen0Time TraceGen1Time TraceMetadataHumongousAllocation TraceParallelOldGCTasks 
 UnlockCommercialFeatures Use486InstrsOnly UseAltSigs UseAutoGCSelectPolicy UseBoundThreads UseCMSCollectionPassing 
 UseCMSCompactAtFullCollection UseCompilerSafepoints UseFastAccessorMethods UseFastEmptyMethods UseGCLogFileRotation 
 UseParNewGC UseVMInterruptibleIO =b+------ 
 SpecialEncodeISOArray UseMathExactIntrinsics UseMontgomeryMultiplyIntrinsic UseMontgomerySquareIntrinsic 
 UseMulAddIntrinsic UseMultiplyToLenIntrinsic UseSquareToLenIntrinsic =b+dddd++ 
 UseAESIntrinsics UseCRC32Intrinsics UseGHASHIntrinsics UseSHA1Intrinsics UseSHA256Intrinsics UseSHA512Intrinsics 
 =b+dddddd 
 AllowVectorizeOnDemand CompactStrings CreateCoredumpOnCrash EnableDynamicAgentLoading ExecutingUnitTests 
 ExtensiveErrorReports G1UseAdaptiveIHOP OptoRegScheduling PrintExtendedThreadInfo PrintFlagsRanges 
 RestrictReservedStack SegmentedCodeCache ShrinkHeapInSteps SuperWordLoopUnrollAnalysis SuperWordReductions 
 UseBASE64Intrinsics UseCMoveUnconditionally UseDynamicNumberOfCompilerThreads UseFMA UseProfiledLoopPredicate 
 UseShenandoahGC UseSubwordForMaxVector UseVectorCmov UseXMMForObjInit =b-++++++ 
 DoReserveCopyInSuperWord =b-+++--- 
 UseCodeAging UseContainerCpuShares =b-++---- 
 CalculateClassFingerprint OverrideVMProperties PrintAOT ThreadLocalHandshakes UseAOT UseOpenJSSE ZStallOnOutOfMemory 
 =b-+----- 
 AdjustStackSizeForTLS AllowRedefinitionToAddDeleteMethods G1PeriodicGCInvokesConcurrent RecordDynamicDumpInfo 
 ShowCodeDetailsInExceptionMessages ZUncommit =b--+++++ 
 DynamicDumpSharedSpaces =b--++++- 
 UseEmptySlotsInSupers UseNotificationThread =b--++--- 
 AutoCreateSharedArchive UseSystemMemoryBarrier ZCollectionIntervalOnly =b---++++ 
 ZGenerational =b---++-- 
 AOTClassLinking ProfileExceptionHandlers UseCompactObjectHeaders =b----+++ 
 ShortRunningLongLoop StressMacroElimination UseAutoVectorizationPredicate 
 UseAutoVectorizationSpeculativeAliasingChecks =b-----++ 
 DelayAfterInliningCutoff HotCodeHeap IncrementalInlineVector InlineColdMethods OptimizeReachabilityFences 
 PreserveReachabilityFencesOnConstants StressEliminateAllocations StressReachabilityFences UseACmpProfile 
 UseArrayLoadStoreProfile UseLoopLimitCheckPredicate UseParallelBitInstructions UseParsePredicates 
 ValueTypePassFieldsAsArgs ValueTypeReturnedAsFields =b------+ 
 UseNullFreeAtomicValueFlattening UseNullFreeNonAtomicValueFlattening =b------x 
 NMethodRelocation =b-----xx 
 EnableX86ECoreOpts LoopMultiversioning MergeStores ReduceAllocationMerges StressMacroExpansion StressUnstableIfTraps 
 UseStoreStoreForCtor =b----d++ 
 UseAPX =b----x++ 
 LibJVMCICompilerThreadHidden =b----x+- 
 ShenandoahGenerationalCensusAtEvac =b----x-- 
 ShenandoahGenerationalAdaptiveTenuring =b----xx- 
 AOTCompileEagerly AlwaysRecordEvolDependencies ShenandoahGenerationalCensusIgnoreOlderCohorts =b----xxx 
 DelayCompilerStubsGeneration DuplicateBackedge InlineSecondarySupersTest OptimizeUnstableIf StressIncrementalInlining 
 =b---dd++ 
 VMContinuations =b---xx++ 
 UseGraalJIT =b---xx+- 
 DoJVMTIVirtualThreadTransitions ReplayReduce =b---xxxx 
 IncrementalInlineForceCleanup IncrementalInlineMH IncrementalInlineVirtual IntelJccErratumMitigation StressCCP 
 StressIGVN UseKNLSetting UseVectorMacroLogic VerifyReceiverTypes =b--ddd++ 
 EnableVectorAggressiveReboxing EnableVectorReboxing EnableVectorSupport =b--xxx++ 
 EnableJVMCIProduct UseJVMCINativeLibrary UseVectorStubs =b--xxx+- 
 ZProactive =b-d+++++ 
 IdealizeClearArrayNode ImplicitNullChecks InlineObjectCopy InlineReflectionGetCallerClass PrintOptoAssembly 
 SpecialArraysEquals SpecialStringCompareTo SpecialStringEquals SpecialStringIndexOf TraceSpilling 
 UseCharacterCompareIntrinsics UseLibmIntrinsic =b-dddd++ 
 UseZGC =b-x+++++ 
 G1PretouchAuxiliaryMemory =b-x----- 
 ShenandoahSuspendibleWorkers =b-xx---- 
 PostLoopMultiversioning =b-xxx--- 
 BootstrapJVMCI EagerJVMCI EnableJVMCI JVMCICountersExcludeCompiler JVMCIPrintProperties PrintBootstrap 
 ShenandoahPacing UseJVMCICompiler =b-xxxx+- 
 AlwaysAtomicAccesses =b-xxxxx- 
 AlwaysSafeConstructors EpsilonElasticTLAB EpsilonElasticTLABDecay G1UseReferencePrecleaning 
 ShenandoahAlwaysClearSoftRefs ShenandoahEvacReserveOverflow ShenandoahImplicitGCInvokesConcurrent 
 ShenandoahRegionSampling ShenandoahUncommit UseEpsilonGC =b-xxxxxx 
 UnsyncloadClass =bd+----- 
 DebugInlinedCalls OptimizeExpensiveOps PrintIntrinsics ProfileDynamicTypes StressGCM StressLCM TraceTypeProfile 
 UseIncDec UseInlineDepthForSpeculativeTypes =bddddd++ 
 G1TraceEagerReclaimHumongousObjects G1TraceStringSymbolTableScrubbing G1UseConcMarkReferenceProcessing 
 UseCGroupMemoryLimitForHeap UseMemSetInBOT =bx------ 
 UseCriticalCMSThreadPriority =bxx----- 
 AggressiveUnboxing =bxxddd++ 
 G1EagerReclaimHumongousObjects G1EagerReclaimHumongousObjectsWithStaleRefs =bxxx---- 
 UseRTMForStackLocks UseRTMXendForLockBusy =bxxxx--- 
 DisablePrimordialThreadGuardPages TrustFinalNonStaticFields UseCriticalCompilerThreadPriority 
 UseCriticalJavaThreadPriority UseFastUnorderedTimeStamps =bxxxxxxx 
 EscapeAnalysisTimeout G1ConcMarkStepDurationMillis =d+++++++ 
 CMSLargeCoalSurplusPercent CMSLargeSplitSurplusPercent CMSSmallCoalSurplusPercent CMSSmallSplitSurplusPercent 
 FLSLargestBlockCoalesceProximity =d++----- 
 CompileThresholdScaling ZAllocationSpikeTolerance ZFragmentationLimit =d-++++++ 
 G1PeriodicGCSystemLoadThreshold SweeperThreshold =d--+++++ 
 ZCollectionIntervalMajor ZCollectionIntervalMinor ZYoungCompactionLimit =d---++++ 
 HotCodeSamplePercent HotCodeStablePercent =d------+ 
 ShenandoahMinOldGenGrowthRemainingHeapPercent =d------x 
 ShenandoahGenerationalTenuringMortalityRateThreshold ShenandoahMinOldGenGrowthPercent ShenandoahOldEvacWaste 
 ShenandoahPromoEvacWaste =d----xxx 
 JVMCINativeLibraryThreadFraction =d---xx+- 
 G1RemSetFreeMemoryKeepExcessRatio G1RemSetFreeMemoryStepDurationMillis =d---xxxx 
 ShenandoahAdaptiveDecayFactor ShenandoahAdaptiveInitialSpikeThreshold =d--xxxx- 
 ShenandoahAdaptiveInitialConfidence StringDeduplicationGrowTableLoad StringDeduplicationShrinkTableLoad 
 StringDeduplicationTargetTableLoad =d--xxxxx 
 ShenandoahPacingSurcharge =d-xxxx-- 
 EpsilonTLABElasticity G1LastPLABAverageOccupancy ShenandoahEvacWaste =d-xxxxxx 
 ObjectCountCutOffPercent =dxxxxxxx 
 AllocateInstancePrefetchLines AllocatePrefetchDistance AllocatePrefetchInstr AllocatePrefetchLines 
 AllocatePrefetchStepSize AllocatePrefetchStyle AutoBoxCacheMax BCEATraceLevel BlockLayoutMinDiamondPercentage 
 CompileThreshold CompilerThreadPriority CompilerThreadStackSize ConditionalMoveLimit ContendedPaddingWidth 
 EliminateAllocationArraySizeLimit FreqInlineSize InlineSmallCode InteriorEntryAlignment InterpreterProfilePercentage 
 JavaPriority10_To_OSPriority JavaPriority1_To_OSPriority JavaPriority2_To_OSPriority JavaPriority3_To_OSPriority 
 JavaPriority4_To_OSPriority JavaPriority5_To_OSPriority JavaPriority6_To_OSPriority JavaPriority7_To_OSPriority 
 JavaPriority8_To_OSPriority JavaPriority9_To_OSPriority LiveNodeCountInliningCutoff LoopMaxUnroll LoopOptsCount 
 LoopUnrollLimit LoopUnrollMin MaxBCEAEstimateLevel MaxBCEAEstimateSize MaxInlineLevel MaxInlineSize 
 MaxJNILocalCapacity MaxJavaStackTraceDepth MaxJumpTableSize MaxJumpTableSparseness MaxLabelRootDepth MaxLoopPad 
 MaxNodeLimit MaxRecursiveInlineLevel MaxTrivialSize MaxVectorSize MinJumpTableSize MultiArrayExpandLimit 
 NmethodSweepActivity NodeLimitFudgeFactor NumberOfLoopInstrToAlign ObjectAlignmentInBytes OnStackReplacePercentage 
 OptoLoopAlignment ParGCArrayScanChunk PartialPeelNewPhiDelta PerBytecodeRecompilationCutoff PerBytecodeTrapLimit 
 PerMethodRecompilationCutoff PerMethodTrapLimit PerfDataMemorySize PerfMaxStringConstLength 
 PrefetchCopyIntervalInBytes PrefetchScanIntervalInBytes ProfileMaturityPercentage SoftRefLRUPolicyMSPerMB 
 StackRedPages StackShadowPages StackYellowPages ThreadPriorityPolicy Tier0BackedgeNotifyFreqLog 
 Tier0InvokeNotifyFreqLog Tier0ProfilingStartPercentage Tier23InlineeNotifyFreqLog Tier2BackEdgeThreshold 
 Tier2BackedgeNotifyFreqLog Tier2CompileThreshold Tier2InvokeNotifyFreqLog Tier3BackEdgeThreshold 
 Tier3BackedgeNotifyFreqLog Tier3CompileThreshold Tier3DelayOff Tier3DelayOn Tier3InvocationThreshold 
 Tier3InvokeNotifyFreqLog Tier3LoadFeedback Tier3MinInvocationThreshold Tier4BackEdgeThreshold Tier4CompileThreshold 
 Tier4InvocationThreshold Tier4LoadFeedback Tier4MinInvocationThreshold TieredCompileTaskTimeout 
 TieredRateUpdateMaxTime TieredRateUpdateMinTime TrackedInitializationLimit TypeProfileArgsLimit 
 TypeProfileMajorReceiverPercent TypeProfileParmsLimit TypeProfileWidth UnguardOnExecutionViolation UseAVX UseSSE 
 VMThreadPriority VMThreadStackSize ValueMapInitialSize ValueMapMaxLoopSize ValueSearchLimit =i+++++++ 
 PerfDataSamplingInterval RefDiscoveryPolicy =i++++--- 
 AliasLevel BiasedLockingBulkRebiasThreshold BiasedLockingBulkRevokeThreshold BiasedLockingDecayTime 
 BiasedLockingStartupDelay G1RSetRegionEntries G1RSetSparseRegionEntries MinInliningThreshold PrefetchFieldsAhead 
 SuspendRetryCount SuspendRetryDelay =i+++---- 
 CMSAbortablePrecleanWaitMillis CMSInitiatingOccupancyFraction CMSMaxAbortablePrecleanTime CMSTriggerInterval 
 CMSWaitDuration CompilationPolicyChoice DeferPollingPageLoopCount DeferThrSuspendLoopCount FieldsAllocationStyle 
 MonitorBound PrintSafepointStatisticsCount PrintSafepointStatisticsTimeout ProfileIntervalsTicks TraceRedefineClasses 
 =i++----- 
 BackEdgeThreshold ClearFPUAtPark DefaultThreadPriority FenceInstruction NmethodSweepCheckInterval NmethodSweepFraction 
 PreInflateSpin PrintCMSStatistics PrintFLSCensus PrintFLSStatistics ReadPrefetchInstr SafepointPollOffset 
 SafepointSpinBeforeYield StarvationMonitorInterval WorkAroundNPTLTimedWaitHang =i+------ 
 EmitSync SyncFlags SyncVerbose =i+x----- 
 hashCode =i+xxxxxx 
 ArrayCopyLoadStoreMaxElem LoopPercentProfileLimit StackReservedPages =i-++++++ 
 Tier3AOTBackEdgeThreshold Tier3AOTCompileThreshold Tier3AOTInvocationThreshold Tier3AOTMinInvocationThreshold 
 =i-+----- 
 C1InlineStackLimit C1MaxInlineLevel C1MaxInlineSize C1MaxRecursiveInlineLevel C1MaxTrivialSize HeapDumpGzipLevel 
 =i--+++++ 
 TypeProfileSubTypeCheckCommonThreshold UserThreadWaitAttemptsAtExit =i----+++ 
 CopyAVX3Threshold =i------+ 
 X86ICacheSync =i----d++ 
 LockingMode =i---x++- 
 ArrayOperationPartialInlineSize EliminateAllocationFieldsLimit =i--ddd++ 
 JVMCIEventLogLevel =i--xxx+- 
 StringDeduplicationCleanupDeadPercent TimerSlack =i--xxxxx 
 AVX3Threshold InitArrayShortSize =i-dddd++ 
 MethodProfileWidth =i-x----- 
 MonitorUsedDeflationThreshold =i-xddddd 
 ShenandoahHumongousThreshold =i-xxx--- 
 JVMCICounterSize JVMCIHostThreads JVMCINMethodSizeLimit JVMCIThreads JVMCITraceLevel =i-xxxx+- 
 ShenandoahMarkScanPrefetch =i-xxxxx- 
 ShenandoahRegionSamplingRate =i-xxxxxx 
 DominatorSearchLimit =iddddd++ 
 NativeMonitorFlags NativeMonitorSpinLimit NativeMonitorTimeout PredictedLoadedClassCount =ix------ 
 SurvivorAlignmentInBytes =ixx----- 
 RTMAbortRatio RTMAbortThreshold RTMLockingCalculationDelay RTMLockingThreshold RTMSpinLoopCount RTMTotalCountIncrRate 
 =ixxxx--- 
 PerMethodSpecTrapLimit SpecTrapLimitExtraEntries =ixxxxxxx 
 AdaptiveSizeDecrementScaleFactor AdaptiveSizePolicyWeight CodeCacheExpansionSize ErgoHeapSizeLimit 
 G1ConcRefinementThreads G1ConfidencePercent G1HeapWastePercent G1MixedGCCountTarget 
 G1SATBBufferEnqueueingThresholdPercent GCDrainStackTargetSize GCHeapFreeLimit GCPauseIntervalMillis GCTimeLimit 
 HeapBaseMinAddress HeapSizePerGCThread IncreaseFirstTierCompileThresholdAt InitialSurvivorRatio 
 InitialTenuringThreshold LargePageHeapSizeThreshold LargePageSizeInBytes MarkStackSize MarkStackSizeMax 
 MarkSweepAlwaysCompactCount MarkSweepDeadRatio MaxMetaspaceExpansion MaxMetaspaceFreeRatio MinHeapDeltaBytes 
 MinMetaspaceExpansion MinMetaspaceFreeRatio MinSurvivorRatio MinTLABSize NUMAChunkResizeWeight 
 NUMAInterleaveGranularity NUMASpaceResizeRate OldPLABSize PLABWeight ParallelGCBufferWastePct PromotedPadding 
 QueuedAllocationWarningCount SharedBaseAddress StringDeduplicationAgeThreshold StringTableSize TLABAllocationWeight 
 TLABRefillWasteFraction TLABSize TLABWasteIncrement TLABWasteTargetPercent TargetPLABWastePct TargetSurvivorRatio 
 ThresholdTolerance TypeProfileLevel YoungGenerationSizeIncrement YoungGenerationSizeSupplement 
 YoungGenerationSizeSupplementDecay YoungPLABSize =n+++++++ 
 AdaptiveSizeMajorGCDecayTimeScale AdaptiveSizePolicyInitializingSteps AdaptiveSizePolicyOutputInterval 
 AdaptiveSizeThroughPutPolicy AdaptiveTimeWeight HeapMaximumCompactionInterval MaxRAM NewSizeThreadIncrease 
 SurvivorPadding TenuredGenerationSizeIncrement TenuredGenerationSizeSupplement TenuredGenerationSizeSupplementDecay 
 =n++++++- 
 PausePadding PretenureSizeThreshold =n+++++-- 
 AdaptiveSizePolicyCollectionCostMargin BaseFootPrintEstimate DefaultMaxRAMFraction GCLockerEdenExpansionPercent 
 HeapFirstMaximumCompactionCount InitialRAMFraction MaxGCMinorPauseMillis MaxRAMFraction MinRAMFraction 
 NUMAPageScanRate OldSize ParallelOldDeadWoodLimiterMean ParallelOldDeadWoodLimiterStdDev ProcessDistributionStride 
 =n++++--- 
 G1ConcRSHotCardLimit G1ConcRSLogCacheSize =n+++---- 
 CMSAbortablePrecleanMinWorkPerIteration CMSBitMapYieldQuantum CMSBootstrapOccupancy CMSClassUnloadingMaxInterval 
 CMSConcMarkMultiple CMSCoordinatorYieldSleepCount CMSExpAvgFactor CMSIncrementalSafetyFactor 
 CMSIndexedFreeListReplenish CMSIsTooFullPercentage CMSMaxAbortablePrecleanLoops CMSOldPLABMax CMSOldPLABMin 
 CMSOldPLABNumRefills CMSOldPLABReactivityFactor CMSOldPLABToleranceFactor CMSPrecleanDenominator CMSPrecleanIter 
 CMSPrecleanNumerator CMSPrecleanThreshold CMSRemarkVerifyVariant CMSRescanMultiple CMSSamplingGrain 
 CMSScheduleRemarkEdenPenetration CMSScheduleRemarkEdenSizeThreshold CMSScheduleRemarkSamplingRatio CMSTriggerRatio 
 CMSWorkQueueDrainThreshold CMSYieldSleepCount CMSYoungGenPerWorker CMS_FLSPadding CMS_FLSWeight CMS_SweepPadding 
 CMS_SweepTimerThresholdMillis CMS_SweepWeight FLSCoalescePolicy G1RSetScanBlockSize GCTaskTimeStampEntries 
 InitialBootClassLoaderMetaspaceSize OldPLABWeight ParGCDesiredObjsFromOverflowList =n++----- 
 AdaptiveSizePausePolicy AutoGCSelectPauseMillis CMSFullGCsBeforeCompaction CMSIncrementalDutyCycle 
 CMSIncrementalDutyCycleMin CMSIncrementalOffset CMSParPromoteBlocksToClaim CodeCacheMinimumFreeSpace GCLogFileSize 
 NumberOfGCLogFiles SharedMiscCodeSize SharedMiscDataSize SharedReadOnlySize SharedReadWriteSize ThreadSafetyMargin 
 =n+------ 
 ErrorLogTimeout HeapSearchSteps LoopStripMiningIter LoopStripMiningIterShortLoop NonNMethodCodeHeapSize 
 NonProfiledCodeHeapSize PreTouchParallelChunkSize ProfiledCodeHeapSize SharedSymbolTableBucketSize 
 StartAggressiveSweepingAt =n-++++++ 
 ShenandoahSoftMaxHeapSize ZMarkStacksMax =n-+----- 
 ZStatisticsInterval =n-+ddddd 
 AsyncLogBufferSize G1PeriodicGCInterval MinHeapSize SoftMaxHeapSize TrimNativeHeapInterval ZUncommitDelay =n--+++++ 
 ZMarkStackSpaceLimit =n--+++-- 
 GCCardSizeInBytes =n---++++ 
 FullGCHeapDumpLimit =n----+++ 
 IFGEdgesLimit =n-----++ 
 G1IHOP HotCodeCallLevel HotCodeIntervalSeconds HotCodeMaxSamplingMs HotCodeMinSamplingMs HotCodeSampleSeconds 
 HotCodeStartupDelaySeconds LoopPeeling MacroExpansionCleanupCount StressEliminateAllocationsMean =n------+ 
 FlatteningBudget G1OldCardSetGroupSize HotCodeHeapSize ShenandoahAllocRateSampleWindow 
 ShenandoahMomentaryAllocRateSampleWindow ShenandoahOldEvacPercent ShenandoahRecentAllocRateSampleWindow =n------x 
 ShenandoahGenerationalMinPIPUsage =n-----xx 
 AutoVectorizationOverrideProfitability SuperWordAutomaticAlignment SuperWordStoreToLoadForwardingFailureDetection 
 VerifyConstraintCasts =n----d++ 
 G1OldCSetGroupSize ShenandoahAgingCyclePeriod ShenandoahMaxYoungPercentage ShenandoahMinYoungPercentage 
 ShenandoahOldEvacRatioPercent =n----xx- 
 G1RetainRegionLiveThresholdPercent ShenandoahDoNotIgnoreGrowthAfterYoungCycles ShenandoahExpediteMixedThreshold 
 ShenandoahExpeditePromotionsThreshold ShenandoahGenerationalHumongousReserve ShenandoahGenerationalMaxTenuringAge 
 ShenandoahGenerationalMinTenuringAge ShenandoahGenerationalTenuringCohortPopulationThreshold 
 ShenandoahGuaranteedOldGCInterval ShenandoahGuaranteedYoungGCInterval ShenandoahIgnoreGarbageThreshold 
 ShenandoahIgnoreOldGrowthBelowPercentage ShenandoahMinimumOldTimeMs ShenandoahNoProgressThreshold 
 ShenandoahOldCompactionReserve ShenandoahOldGarbageThreshold =n----xxx 
 JVMCICompilerIdleDelay JVMCIThreadsPerNativeLibraryRuntime =n---xx+- 
 G1RemSetArrayOfCardsEntries G1RemSetCoarsenHowlBitmapToHowlFullPercent G1RemSetCoarsenHowlToFullPercent 
 G1RemSetFreeMemoryRescheduleDelayMillis G1RemSetHowlMaxNumBuckets G1RemSetHowlNumBuckets =n---xxxx 
 StressSeed =n--ddd+d 
 CodeCacheSegmentSize =n--xxx++ 
 ShenandoahAdaptiveSampleFrequencyHz ShenandoahAdaptiveSampleSizeSeconds =n--xxxx- 
 G1EagerReclaimRemSetThreshold StringDeduplicationCleanupDeadMinimum StringDeduplicationInitialTableSize =n--xxxxx 
 CodeCacheMinBlockLength =n-dddd++ 
 ShenandoahRefProcFrequency =n-x----- 
 ShenandoahUnloadClassesFrequency =n-xx---- 
 InlineCacheBufferSize =n-xxx--- 
 ShenandoahPacingCycleSlack ShenandoahPacingIdleSlack ShenandoahPacingMaxDelay =n-xxxx-- 
 ShenandoahMaxRegionSize ShenandoahMinRegionSize =n-xxxxx- 
 EpsilonMaxTLABSize EpsilonMinHeapExpand EpsilonPrintHeapSteps EpsilonTLABDecayTime EpsilonUpdateCountersStep 
 G1AdaptiveIHOPNumInitialSamples G1RebuildRemSetChunkSize ReferencesPerThread ShenandoahAllocSpikeFactor 
 ShenandoahAllocationThreshold ShenandoahControlIntervalAdjustPeriod ShenandoahControlIntervalMax 
 ShenandoahControlIntervalMin ShenandoahCriticalFreeThreshold ShenandoahEvacReserve ShenandoahFullGCThreshold 
 ShenandoahGarbageThreshold ShenandoahGuaranteedGCInterval ShenandoahImmediateThreshold ShenandoahInitFreeThreshold 
 ShenandoahLearningSteps ShenandoahMarkLoopStride ShenandoahMaxSATBBufferFlushes ShenandoahMinFreeThreshold 
 ShenandoahParallelRegionStride ShenandoahRegionSize ShenandoahSATBBufferSize ShenandoahTargetNumRegions 
 ShenandoahUncommitDelay =n-xxxxxx 
 ArrayAllocatorMallocLimit =nxxxx--- 
 G1MaxNewSizePercent G1MixedGCLiveThresholdPercent G1NewSizePercent G1OldCSetRegionThresholdPercent SymbolTableSize 
 WorkStealingHardSpins WorkStealingSleepMillis WorkStealingSpinToYieldRatio WorkStealingYieldsBeforeSleep =nxxxxxxx 
 CompileCommand CompileCommandFile CompileOnly DumpLoadedClassList ExtraSharedClassListFile FlightRecorderOptions 
 InlineDataFile PerfDataSaveFile ReplayDataFile SharedClassListFile StartFlightRecording TraceJVMTI =s+++++++ 
 ErrorReportServer =s++----- 
 SyncKnobs =s+x----- 
 AllocateHeapAt SharedArchiveConfigFile ShenandoahGCHeuristics ShenandoahGCMode =s-++++++ 
 AOTLibrary ZPath =s-+----- 
 ArchiveClassesAtExit CompilationMode =s--+++++ 
 MetaspaceReclaimPolicy =s--+---- 
 AOTCache AOTCacheOutput AOTConfiguration AOTMode LogClassLoadingCauseFor =s----+++ 
 AltTempDir =s------+ 
 JVMCINativeLibraryErrorFile =s---xx+- 
 JVMCILibDumpJNIConfig JVMCILibPath =s--xxx+- 
 SharedArchiveFile =sd++++++ 
 G1LogLevel =sx------ 
 Flags G1RSetUpdatingPauseTimePercent G1RefProcDrainInterval G1SATBBufferSize SafepointTimeoutDelay SelfDestructTimer 
 =u+++++++ 
 G1UpdateBufferSize =u++++++- 
 RTMRetryCount =u++++--- 
 G1ConcRefinementGreenZone G1ConcRefinementRedZone G1ConcRefinementServiceIntervalMillis G1ConcRefinementThresholdStep 
 G1ConcRefinementYellowZone =u+++---- 
 MaxPermSize PermSize =u++----- 
 AdaptivePermSizeWeight AutoShutdownNMT CMSInitiatingPermOccupancyFraction CMSPermGenPrecleaningEnabled 
 CMSRevisitStackSize CMSTriggerPermRatio CompilationRepeat MaxPermHeapExpansion MinPermHeapExpansion PermGenPadding 
 PrintRevisitStats SegmentedHeapDumpThreshold UseISM UseMPSS UseOldInlining UsePermISM UseSplitVerifier UseStringCache 
 UseVectoredExceptions =u+------ 
 VMOptionsFile ZCollectionInterval =u-++++++ 
 CheckAssertionStatusDirectives InlineNotify PrintMalloc PrintMallocFree ShowSafepointMsgs TraceScavenge UseAppCDS 
 UseUTCFileTimestamp =u-+----- 
 EnableWaitForParallelLoad =u---+--- 
 CodeEntryAlignment =u---xx++ 
 G1ExpandByPercentOfAvailable =uxxxxxxx 
`
